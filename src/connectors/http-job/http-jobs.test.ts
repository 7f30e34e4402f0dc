import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type HttpTrouble, JobServer } from "../../../test/support/job-server.ts";
import { InputError } from "../../kit/index.ts";
import type { ServiceClient } from "../kit/index.ts";
import { httpJobContract } from "./http-job.contract.ts";
import { httpJobs } from "./http-jobs.ts";

let server: JobServer;
let client: ServiceClient;
/** Only for calls that shall run out of time: on a busy machine any other may, too. */
let hasty: ServiceClient;

beforeEach(async () => {
  server = new JobServer();
  await server.up();
  const options = { service: "encoder:one", baseUrl: server.url, perCall: 10 };
  client = httpJobs({ ...options, limits: { answerBytes: 100_000 } });
  hasty = httpJobs({ ...options, limits: { headersMs: 50, idleMs: 50 } });
});

afterEach(() => server.down());

describe("the real client keeps the contract, against a real server", () => {
  test.each(httpJobContract)("$name", async ({ run }) => {
    await run({
      client,
      world: server.world,
      down: (isDown) => (isDown ? server.down() : server.up()),
      loseNextStart: () => void server.troubles.push("reset"),
    });
  });
});

describe("a service in trouble", () => {
  test.each<[HttpTrouble, string, string, string]>([
    ["silent", "transient", "TIMEOUT", "failure"],
    ["stuck", "transient", "TIMEOUT", "failure"],
    ["reset", "transient", "RESET", "failure"],
    ["truncated", "transient", "TRUNCATED", "failure"],
    ["endless", "transient", "TOO_LARGE", "failure"],
    ["html", "transient", "BAD_ANSWER", "failure"],
    ["half-json", "transient", "BAD_ANSWER", "failure"],
    ["wrong-shape", "transient", "BAD_ANSWER", "failure"],
    [{ status: 503 }, "unavailable", "HTTP_503", "failure"],
    [{ status: 429, headers: { "retry-after": "7" } }, "unavailable", "RATE_LIMITED", "none"],
    [{ status: 401 }, "unavailable", "AUTH", "open"],
    [{ status: 422 }, "permanent", "HTTP_422", "success"],
    [{ status: 302, headers: { location: "/login" } }, "transient", "REDIRECTED", "failure"],
  ])("%j is %s %s, breaker %s, and is over with the next call", async (trouble, kind, code, breaker) => {
    const work = { key: "a:1", input: 1 };
    const troubled = code === "TIMEOUT" ? hasty : client;
    server.troubles.push(trouble);
    await expect(troubled.start(work)).rejects.toMatchObject({ kind, code, breaker, service: "encoder:one" });
    const ref = await client.start(work);
    expect(server.world.truth().made.get("a:1")).toBe(1);
    server.troubles.push(trouble);
    await expect(troubled.look([ref])).rejects.toMatchObject({ kind, code });
    server.troubles.push(trouble);
    await expect(troubled.list("a:")).rejects.toMatchObject({ kind, code });
    expect((await client.look([ref]))[0]?.state).toBe("queued");
  });

  test("500 on cancel is a fault, 404 is not", async () => {
    server.troubles.push({ status: 500 }, { status: 404 });
    await expect(client.cancel("job-1")).rejects.toMatchObject({ kind: "transient", code: "HTTP_500" });
    await client.cancel("job-1");
  });
});

describe("the real client", () => {
  test("looks at many jobs in few calls", async () => {
    const refs = Array.from({ length: 25 }, (_, i) => `job-${i}`);
    await client.look(refs);
    expect(server.requests).toHaveLength(3);
  });

  test("takes up nobody else's job from a service that ignores what it was asked for", async () => {
    server.world.byKey = () => server.world.byPrefix("");
    await client.start({ key: "theirs", input: 1 });
    expect(await client.adopt("ours")).toBeNull();
  });

  test("lists nobody else's jobs from a service that ignores the prefix", async () => {
    const all = server.world.byPrefix.bind(server.world);
    server.world.byPrefix = () => all("");
    await client.start({ key: "theirs", input: 1 });
    await client.start({ key: "ours", input: 1 });
    expect(await client.list("ours")).toEqual([{ ref: "job-2", key: "ours", state: "queued" }]);
  });

  test.each(["", "a b", "é", "line\nbreak", "x".repeat(201)])(
    "refuses the key %j, which no header can hold",
    async (key) => {
      await expect(async () => client.start({ key, input: 1 })).rejects.toThrow(InputError);
    },
  );

  test.each(["..", ".", "a/b", "a,b", ""])("lets no ref %j into an address", async (ref) => {
    await expect(client.cancel(ref)).rejects.toThrow(InputError);
    expect((await client.look([ref]))[0]?.state).toBe("missing");
    expect(server.requests).toEqual([]);
  });
});
