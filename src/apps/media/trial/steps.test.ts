import { describe, expect, it } from "vitest";
import { BugError, transient, unavailable } from "../../../engine/index.ts";
import { manualClock, systemClock } from "../../../kit/index.ts";
import { searches } from "./indexer.ts";
import { trial } from "./steps.ts";

const clock = systemClock;
const asked = () => "asked";

describe("a test", () => {
  it("tells every step, and is well when all are", async () => {
    const tested = await trial({ clock }, async (steps) => {
      await steps.reach("http://nas", asked, async () => 1);
      await steps.take(
        "searched",
        async () => 3,
        (count) => `${count} found`,
      );
    });
    expect(tested).toEqual({
      ok: true,
      steps: [
        { tried: "reached http://nas", ok: true, found: "somebody answers there", code: null },
        { tried: "searched", ok: true, found: "3 found", code: null },
      ],
    });
  });

  it("ends where nobody is there, and where what is there does not answer as it should", async () => {
    const of = (fault: Error) =>
      trial({ clock }, async (steps) => {
        await steps.reach("http://nas", asked, () => Promise.reject(fault));
        steps.well("never", "tried");
      });
    expect(await of(unavailable("NOT_REACHED", "refused"))).toEqual({
      ok: false,
      steps: [{ tried: "reached http://nas", ok: false, found: "refused", code: "NOT_REACHED" }],
    });
    expect((await of(unavailable("AUTH", "wrong key"))).steps).toMatchObject([
      { tried: "reached http://nas", ok: true },
      { tried: "asked", ok: false, found: "wrong key", code: "AUTH" },
    ]);
  });

  it("goes on after what is wrong and in nobody's way", async () => {
    const tested = await trial({ clock }, async (steps) => {
      steps.bad("looked", "not there", "PLACE_NOT_FOUND");
      steps.well("asked", "fine");
    });
    expect([tested.ok, tested.steps.length]).toEqual([false, 2]);
  });

  it("is over in its time, also where what is called takes no notice", async () => {
    const time = manualClock();
    const tested = trial({ clock: time }, async (steps) => {
      await steps.take(
        "waited",
        () => new Promise(() => {}),
        () => "",
      );
    });
    await time.advance(10_000);
    expect(await tested).toMatchObject({ ok: false, steps: [{ tried: "waited", code: "TIMEOUT" }] });
  });

  it("tells no secret, whoever repeats it", async () => {
    const { steps } = await trial({ clock }, async (each) => {
      each.hide("s3cret");
      each.well("asked", "you are s3cret");
      await each.take(
        "asked again",
        () => Promise.reject(transient("BAD_ANSWER", "no such key: s3cret")),
        () => "",
      );
    });
    expect(JSON.stringify(steps)).not.toContain("s3cret");
    expect(steps.map(({ found }) => found)).toEqual(["you are ***", "no such key: ***"]);
  });

  it("does not take a bug of ours for something of the service's", async () => {
    const broken = trial({ clock }, async (steps) => {
      await steps.need("asked", () => Promise.reject(new BugError("ours")));
    });
    await expect(broken).rejects.toThrow("ours");
  });
});

it("what an indexer can be asked is told in words", () => {
  const by = (...parameters: string[]) => ({ parameters, isRaw: false });
  expect(searches({ film: by("q", "imdbid"), tv: null, search: by("q") })).toBe("films by q, imdbid; anything by q");
});
