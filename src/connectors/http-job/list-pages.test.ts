import { afterEach, expect, test } from "vitest";
import { closeServers, serve } from "../../../test/support/loopback.ts";
import { httpJobs } from "./http-jobs.ts";

afterEach(closeServers);

test("a list whose pages go round in a circle is a fault, not a list and not for ever", async () => {
  let calls = 0;
  const baseUrl = await serve((_, response) => {
    calls += 1;
    response.end(
      JSON.stringify({ jobs: [{ id: "job-1", key: "a", status: "queued" }], next: calls % 2 === 0 ? "x" : "y" }),
    );
  });
  const client = httpJobs({ service: "round", baseUrl });
  await expect(client.list("a")).rejects.toMatchObject({ kind: "transient", code: "BAD_ANSWER" });
  expect(calls).toBe(3);
});
