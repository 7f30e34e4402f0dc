import { describe, expect, test } from "vitest";
import { z } from "zod";
import { InputError } from "../../kit/index.ts";
import { permanent } from "./fault.ts";
import { again, back, child, done, skip, spawn, wait } from "./outcome.ts";
import { type AnyPipeline, definePipeline, type PipelineOptions } from "./pipeline.ts";
import type { StageDefinition } from "./stage.ts";

const input = z.object({ title: z.string(), year: z.coerce.number() });
const start = () => definePipeline("media", { version: 1, input });
const nothing = { run: () => done() };

describe("a pipeline", () => {
  test("has its stages in the order they were added", () => {
    const media = start().stage("search", nothing).stage("download", nothing);
    expect(media).toMatchObject({ name: "media", version: 1, input });
    expect(media.stages.map((stage) => stage.name)).toEqual(["search", "download"]);
  });

  test("is a value: adding a stage answers with a new one", () => {
    const one = start().stage("search", nothing);
    const two = one.stage("download", nothing);
    const other = one.stage("encode", nothing);
    expect(one.stages).toHaveLength(1);
    expect([two, other].map((pipeline) => pipeline.stages[1]?.name)).toEqual(["download", "encode"]);
    expect(Object.isFrozen(one)).toBe(true);
  });

  describe("has a shape", () => {
    const shape = (...names: string[]) =>
      names.reduce((pipeline: AnyStages, name) => pipeline.stage(name, nothing), start()).shape;
    type AnyStages = { readonly shape: string; stage(name: string, definition: typeof nothing): AnyStages };

    test("that depends on names and order of its stages", () => {
      const shapes = [shape("a", "b"), shape("b", "a"), shape("a"), shape("a", "c"), shape("a-b"), shape()];
      expect(new Set(shapes).size).toBe(shapes.length);
      expect(shape("a", "b")).toBe(shape("a", "b"));
    });

    test("and not on limits, code or words", () => {
      const other = start().stage("a", { run: () => again("1s"), attempts: 9, timeout: "1h", words: ["X", "Y"] });
      expect(other.shape).toBe(shape("a"));
    });
  });
});

describe("is refused, naming the field:", () => {
  const define = (name: unknown, options: unknown) => () =>
    definePipeline(name as string, options as PipelineOptions<unknown, unknown>); // untyped callers pass anything
  const ok = { version: 1, input };
  const many = () =>
    Array.from({ length: 101 }).reduce((all: ReturnType<typeof start>, _, n) => all.stage(`s${n}`, nothing), start());

  test.each<[string, () => unknown, string]>([
    ["an empty name", define("", ok), "name"],
    ["a name in upper case", define("Media", ok), "name"],
    ["a name with a dot", define("media.tv", ok), "name"],
    ["a name of 64 characters", define("a".repeat(64), ok), "name"],
    ["no name", define(undefined, ok), "name"],
    ["no options", define("media", undefined), "media.version"],
    ["no version", define("media", { input }), "media.version"],
    ["version 0", define("media", { version: 0, input }), "media.version"],
    ["version 1.5", define("media", { version: 1.5, input }), "media.version"],
    ["a version of text", define("media", { version: "1", input }), "media.version"],
    ["no schema", define("media", { version: 1 }), "media.input"],
    ["a schema that is none", define("media", { version: 1, input: { parse() {} } }), "media.input"],
    ["a stage without a name", () => start().stage(undefined as never, nothing), "name"],
    ["a stage with a bad name", () => start().stage("Search", nothing), "name"],
    ["two stages of one name", () => start().stage("a", nothing).stage("a", nothing), "media.a"],
    ["a hundred and one stages", many, "media"],
    ["a stage without code", () => start().stage("a", {} as typeof nothing), "media.a.run"],
  ])("%s", (_, attempt, field) => {
    expect(attempt).toThrow(InputError);
    expect(attempt).toThrow(expect.objectContaining({ field }));
  });
});

// The compiler reads the rest: each line below says what an author is told while typing.
const same = <T>(value: T): T => value;

const typesOfStages = () =>
  start()
    .stage("search", {
      // @ts-expect-error the first stage has nothing before it
      run: ({ out }) => done({ found: out.search }),
    })
    .stage("find", {
      run: async ({ input: { title, year } }) => {
        if (title === "") return wait("not_available", { again: "6h" });
        if (year === 0) throw permanent("NO_YEAR", "no year");
        return done({ hash: "abc", size: 12 });
      },
    })
    .stage("download", {
      run: ({ out, input: asked }) => {
        const hash: string = out.find.hash;
        // @ts-expect-error a later stage has not run yet
        same(out.encode);
        // @ts-expect-error there is no such output
        same(out.find.name);
        // @ts-expect-error the schema made it a number
        same<string>(asked.year);
        return hash === "" ? back("find", { not: hash }) : done("/path");
      },
      leave: [({ out }) => (out.download === undefined ? back("find") : undefined)],
    })
    .stage("tell", { run: () => (Math.PI > 3 ? done() : again("1s")) })
    .stage("encode", {
      run: ({ out }) => {
        same<string>(out.download);
        // @ts-expect-error a stage that hands on nothing adds nothing
        same(out.tell);
        return out.find.size > 3 ? skip("small", { codec: "none" }) : done({ codec: "h264" });
      },
      commit: async (_tx, items) => {
        for (const item of items) same<string>(item.output.codec);
        // @ts-expect-error only what this stage hands on
        same(items[0]?.output.size);
      },
    })
    .stage("deliver", {
      // @ts-expect-error a visit returns an outcome
      run: ({ out }) => out.encode.codec,
    });

const typesOfSkips = () =>
  start().stage("encode", {
    // @ts-expect-error a stage that hands something on has to do so when it skips, or later stages could not rely on it
    run: ({ input: { year } }) => (year > 0 ? skip("as it is") : done({ codec: "h264" })),
  });

const typesOfUntypedOutput = () =>
  start()
    .stage("parse", { run: () => done(JSON.parse("{}")) })
    .stage("use", { run: ({ out }) => done(out.parse) });

const typesOfUse = () => {
  const media = start().stage("search", { run: () => done(1) });
  same<AnyPipeline>(media);
  same<StageDefinition<unknown, unknown, void>>(nothing);
  // @ts-expect-error a child's input is as the schema is asked
  child(media, { title: 3, year: 1 });
  return spawn([child(media, { title: "Alien", year: "1979" })]);
};

test("the compiler has read the lines above", () => {
  expect([typesOfStages, typesOfSkips, typesOfUntypedOutput, typesOfUse]).toHaveLength(4);
});
