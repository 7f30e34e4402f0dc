import { describe, expect, it } from "vitest";
import { z } from "zod";
import { definePipeline } from "./pipeline.ts";
import { TITLE_BYTES, type TitleOption, titleFor } from "./title.ts";

const input = z.object({ title: z.string(), year: z.number().optional() });
const titled = (given: unknown, title: TitleOption<z.infer<typeof input>> | undefined) => {
  const options = { version: 1, input, ...(title === undefined ? {} : { title }) };
  return titleFor(definePipeline("films", options), JSON.stringify(given));
};

describe("a title", () => {
  it("is what the pipeline says of an input, or a field of it", () => {
    expect(titled({ title: "Alien", year: 1979 }, (film) => `${film.title} (${film.year})`)).toBe("Alien (1979)");
    expect(titled({ title: "Alien" }, "title")).toBe("Alien");
    expect(titled({ title: "Alien" }, undefined)).toBeNull();
  });

  it("is a line that turns nothing round, and no longer than a list can show", () => {
    expect(titled({ title: "  a\n\tb\u202e c\u0000 " }, "title")).toBe("a b c");
    expect(titled({ title: "<b>x</b>" }, "title")).toBe("<b>x</b>");
    const long = titled({ title: "é".repeat(10_000) }, "title") ?? "";
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(TITLE_BYTES);
    expect(long.endsWith("…")).toBe(true);
  });

  it("is none where none can be told, and never stands in an item's way", () => {
    expect(titled({}, "title")).toBeNull();
    expect(titled({ title: " \n " }, "title")).toBeNull();
    expect(titled({ title: "x", year: 7 }, "year")).toBeNull();
    expect(
      titled({}, () => {
        throw new Error("no title");
      }),
    ).toBeNull();
  });

  it("hides what looks like a secret", () => {
    expect(titled({ title: "https://ann:hunter2@example.org/x" }, "title")).not.toContain("hunter2");
  });

  it("is refused where it is neither a function nor a field", () => {
    expect(() => definePipeline("films", { version: 1, input, title: 7 as never })).toThrow(
      'the title of pipeline "films" is a function of its input, the name of a field of it, or left out',
    );
  });
});
