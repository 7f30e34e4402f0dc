import { describe, expect, it } from "vitest";
import { EXIT } from "../exit.ts";
import { makeClient, refusal } from "./client.ts";
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
    expect(refusal(502, undefined, "http://proxy").message).toBe("http://proxy answered with 502");
  });

  it("that goes on is refused like any other", async () => {
    const signal = new AbortController().signal;
    await expect(answering(404, {}).follow("/api/v1/events", { signal })).rejects.toMatchObject({ exit: 3 });
  });
});
