import { afterEach, expect, it, vi } from "vitest";
import type { Me } from "../../../src/server/contract/wire.ts";
import { makeClient } from "./client.ts";
import { queries } from "./queries.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

it.each([
  [["workers"], 10_000],
  [["overview"], 10_000],
  [["operations", "opr_1", "members"], 10_000],
  [["pipelines"], undefined],
])("%j is asked for again by itself after %s ms", (queryKey, ms) => {
  expect(makeClient().defaultQueryOptions({ queryKey }).refetchInterval).toBe(ms);
});

it("nothing that one person was shown is left for another", async () => {
  const client = makeClient();
  client.setQueryData<Partial<Me>>(["me"], { user: "ada" });
  client.setQueryData(["items"], "ada's");
  const answer = (user: string) => vi.stubGlobal("fetch", async () => Response.json({ user }));
  answer("ada");
  await client.fetchQuery({ ...queries.me(), staleTime: 0 });
  expect(client.getQueryData(["items"])).toBe("ada's");
  answer("eve");
  await client.fetchQuery({ ...queries.me(), staleTime: 0 });
  expect(client.getQueryData(["items"])).toBeUndefined();
  expect(client.getQueryData(["me"])).toEqual({ user: "eve" });
  client.clear();
});
