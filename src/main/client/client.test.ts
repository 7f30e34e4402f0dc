import { describe, expect, it } from "vitest";
import { EXIT } from "../exit.ts";
import { makeClient, refusal } from "./client.ts";
import { patientAsk } from "./patient.ts";
import { chooseTarget } from "./profile.ts";

const PROFILES = {
  default: "home",
  profiles: { home: { url: "http://nas:7470", key: "slk_home" }, away: { url: "https://a" } },
};

describe("which server is meant", () => {
  it("is the one that is named, then the environment's, then a profile's, else the database at hand", () => {
    expect(chooseTarget({ url: "http://a" }, { SLUICE_URL: "http://b", SLUICE_API_KEY: "k" }, PROFILES)).toEqual({
      url: "http://a",
      key: "k",
    });
    expect(chooseTarget({}, { SLUICE_URL: "http://b" }, PROFILES)).toEqual({ url: "http://b", key: undefined });
    expect(chooseTarget({}, {}, PROFILES)).toEqual({ url: "http://nas:7470", key: "slk_home" });
    expect(chooseTarget({ profile: "away" }, {}, PROFILES)).toEqual({ url: "https://a", key: undefined });
    expect(chooseTarget({}, {}, {})).toBeUndefined();
    expect(chooseTarget({ database: "./data" }, { SLUICE_URL: "http://b" }, PROFILES)).toBeUndefined();
  });

  it("has to be known, and an address", () => {
    expect(() => chooseTarget({ profile: "work" }, {}, PROFILES)).toThrow(
      "there is no profile work; known: home, away",
    );
    expect(() => chooseTarget({ url: "nas" }, {}, PROFILES)).toThrow('"nas" is no address');
  });
});

describe("what is not taken at once", () => {
  const busy = (times: number, status: number, after: string | null) => {
    const keys: (string | null)[] = [];
    const waits: number[] = [];
    const client = makeClient(
      {
        isLocal: false,
        where: "here",
        base: "http://localhost",
        async send({ headers }) {
          keys.push(headers.get("idempotency-key"));
          if (keys.length > times) return Response.json({ ok: true });
          return Response.json(
            { detail: "too much" },
            { status, headers: after === null ? {} : { "retry-after": after } },
          );
        },
        close: async () => {},
      },
      { sleep: async (ms) => void waits.push(ms) },
    );
    return { client, keys, waits };
  };

  it("is asked for again when the server says, by the same key, so that it is done once", async () => {
    const { client, keys, waits } = busy(2, 429, "3");
    expect(await client.ask("/", { method: "POST" })).toEqual({ ok: true });
    expect(waits).toEqual([3_000, 3_000]);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    await client.ask("/", { method: "POST" });
    expect(keys[3]).not.toBe(keys[0]);
  });

  it.each([
    [99, 429, "1", 5],
    [1, 503, null, 0],
    [1, 429, "3600", 0],
    [1, 500, "1", 0],
  ])("ends after a few times, and at once where nobody says when: %j", async (times, status, after, waited) => {
    const { client, waits } = busy(times, status, after);
    await expect(client.ask("/", { method: "POST" })).rejects.toThrow("too much");
    expect(waits).toHaveLength(waited);
  });
});

describe("looking on", () => {
  it("goes on over a server that is away, and says so once", async () => {
    const answers = [503, 503, 200, 503, 404];
    const notes: string[] = [];
    const client = makeClient({
      isLocal: false,
      where: "here",
      base: "http://localhost",
      send: async () => Response.json({ detail: "away" }, { status: answers.shift() ?? 200 }),
      close: async () => {},
    });
    const ask = patientAsk(client, { note: (text) => notes.push(text) }, new AbortController().signal);
    expect(await ask("/")).toBeUndefined();
    expect(await ask("/")).toBeUndefined();
    expect(notes).toEqual(["sluice: away; the work goes on, and is looked at again"]);
    expect(await ask("/")).toEqual({ detail: "away" });
    expect(await ask("/")).toBeUndefined();
    expect(notes).toHaveLength(2);
    await expect(ask("/")).rejects.toMatchObject({ exit: EXIT.notFound });
  });
});

describe("an answer", () => {
  const answering = (status: number, body: unknown) =>
    makeClient({
      isLocal: false,
      where: "here",
      base: "http://localhost",
      send: async () => new Response(JSON.stringify(body), { status }),
      close: async () => {},
    });

  it("is what the API said", async () => {
    expect(await answering(200, { entries: [] }).ask("/api/v1/items")).toEqual({ entries: [] });
  });

  it.each([
    [400, EXIT.usage],
    [401, EXIT.notAllowed],
    [403, EXIT.notAllowed],
    [404, EXIT.notFound],
    [409, EXIT.refused],
    [503, EXIT.unreachable],
    [500, EXIT.failed],
  ])("of %i ends with %i", async (status, exit) => {
    await expect(answering(status, { detail: "why" }).ask("/")).rejects.toMatchObject({ exit, message: "why" });
  });

  it("that is a refusal says what would work instead", () => {
    expect(refusal(409, { detail: "it has ended", actions: ["retry"] }, "here").next).toBe("possible now: retry");
    expect(refusal(400, { detail: "no", instead: ["state:failed"] }, "here").next).toBe("try state:failed");
    expect(refusal(502, {}, "http://proxy").message).toBe("http://proxy answered with 502");
  });

  it("that goes on is refused like any other", async () => {
    const signal = new AbortController().signal;
    await expect(answering(404, {}).follow("/api/v1/events", { signal })).rejects.toMatchObject({ exit: 3 });
  });
});
