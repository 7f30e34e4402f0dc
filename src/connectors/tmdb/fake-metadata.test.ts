import { describe, expect, test } from "vitest";
import { manualClock } from "../../kit/index.ts";
import { fakeMetadata } from "./fake-metadata.ts";
import { tmdbContract } from "./tmdb.contract.ts";

describe("the fake keeps the contract", () => {
  test.each(tmdbContract)("$name", async ({ run }) => {
    await run(fakeMetadata());
  });
});

describe("the fake", () => {
  test("has one trouble per call, in order, and remembers what it was asked", async () => {
    const { metadata, trouble, world } = fakeMetadata({ films: [{ id: 1, title: "One" }] });
    trouble("timeout", "refused");
    await expect(metadata.film(1)).rejects.toMatchObject({ code: "TIMEOUT" });
    await expect(metadata.film(1)).rejects.toMatchObject({ code: "NOT_REACHED" });
    expect((await metadata.film(1)).title).toBe("One");
    expect(world.truth().asked).toEqual(["film 1"]);
  });

  test("is slow by its clock", async () => {
    const clock = manualClock();
    const { metadata, trouble } = fakeMetadata({ films: [{ id: 1, title: "One" }], clock });
    trouble({ slowMs: 1_000 });
    let title = "";
    const asked = metadata.film(1).then((film) => {
      title = film.title;
    });
    await clock.advance(999);
    expect(title).toBe("");
    await clock.advance(1);
    await asked;
    expect(title).toBe("One");
  });
});
