import { expect, it } from "vitest";
import { furtherProblems } from "./further.ts";
import { resolve } from "./resolve.ts";

const { config } = resolve([]);

it("keys, networks and names are looked at before anything is started", async () => {
  expect(await furtherProblems(config)).toEqual([]);
  const wrong = {
    ...config,
    "server.secretKey": "tooshort",
    "server.trustedProxies": ["nonsense"],
    "server.hosts": ["media.example.org", "bad host!"],
  };
  const problems = await furtherProblems(wrong);
  expect(problems).toHaveLength(3);
  expect(problems.join("\n")).toMatch(/SERVER_SECRET_KEY[\s\S]*nonsense[\s\S]*bad host!/);
  expect(problems.join("\n")).not.toContain("tooshort");
});
