import { describe, expect, test } from "vitest";
import { z } from "zod";
import { InputError } from "../../kit/index.ts";
import { done } from "./outcome.ts";
import { checkedParts, checkParts, type PartsOutput } from "./parts.ts";
import { definePipeline } from "./pipeline.ts";
import { service } from "./service.ts";

const servers = service.each<{ put(what: string): Promise<void> }>("server");
const one = service("gateway");
const check = (definition: object, by?: typeof servers | typeof one, chooses = false) =>
  checkParts("media.deliver", definition, { by, chooses });
const parts = () => ["nas-1"];

describe("a stage's parts", () => {
  test("are none where none are named", () => {
    expect(check({})).toBeUndefined();
  });

  test.each<[string, Parameters<typeof check>, string | undefined]>([
    ["of nobody", [{ parts }], undefined],
    ["of a service", [{ parts }, one], "gateway"],
    ["of a family", [{ parts }, servers], "server:nas-1"],
    ["of a family that on() chooses from", [{ parts }, servers, true], undefined],
  ])("%s are claimed from its lane", (_, given, expected) => {
    expect(check(...given)?.serviceOf("nas-1")?.name).toBe(expected);
  });

  test.each<[string, object, string]>([
    ["parts that are no function", { parts: ["a"] }, "parts"],
    ["an unknown policy", { parts, policy: "some" }, "policy"],
    ["an undo that is none", { parts, undo: true }, "undo"],
    ["a policy without parts", { policy: "best-effort" }, "policy"],
    ["an undo without parts", { undo: async () => undefined }, "undo"],
  ])("with %s are refused, naming the field", (_, definition, field) => {
    expect(() => check(definition)).toThrow(InputError);
    expect(() => check(definition)).toThrow(expect.objectContaining({ field: `media.deliver.${field}` }));
  });

  test("need a family's parts, or nobody could choose", () => {
    const run = () => done();
    const define = () => definePipeline("media", { version: 1, input: z.object({}) });
    expect(() => define().stage("deliver", { run, uses: servers as never })).toThrow(
      expect.objectContaining({ field: "media.deliver.uses" }),
    );
  });
});

describe("what parts() answers with", () => {
  const work = { serviceOf: (name: string) => servers(name) };
  const made = (elements: unknown) => checkedParts(elements as readonly unknown[], work, "deliver");

  test("is a list of names, or of objects with one", () => {
    expect(made(["nas-1", { name: "nas_2.local", path: "/films" }])).toEqual([
      { name: "nas-1", input: '"nas-1"', service: "server:nas-1" },
      { name: "nas_2.local", input: '{"name":"nas_2.local","path":"/films"}', service: "server:nas_2.local" },
    ]);
    expect(made([])).toEqual([]);
  });

  test.each<[string, unknown]>([
    ["no list", "nas-1"],
    ["a part without a name", [{ path: "/a" }]],
    ["an empty name", [""]],
    ["a name with a space", ["nas 1"]],
    ["a name of 128 characters", ["a".repeat(128)]],
    ["a name that no service of the family may have", ["-a"]],
    ["two parts of one name", ["a", { name: "a" }]],
    ["a hole", Array.from({ length: 2 })],
    ["1,001 parts", Array.from({ length: 1_001 }, (_, n) => `a${n}`)],
    ["names that are too long together", Array.from({ length: 200 }, (_, n) => `${n}`.padEnd(120, "x"))],
    ["elements that are too large together", ["a", "b"].map((name) => ({ name, text: "x".repeat(200_000) }))],
    ["what cannot be stored", [{ name: "a", at: new Date(0) }]],
  ])("is not %s", (_, elements) => {
    expect(() => made(elements)).toThrow(InputError);
  });
});

// The compiler reads the rest: what an author is told while typing.
const same = <T>(value: T): T => value;
const input = z.object({ targets: z.array(z.object({ name: z.string(), path: z.string() })) });

const typesOfParts = () =>
  definePipeline("media", { version: 1, input })
    .stage("encode", { run: () => done({ file: "a" }) })
    .stage("deliver", {
      parts: ({ input: asked, out }) => asked.targets.map((target) => ({ ...target, file: out.encode.file })),
      policy: ({ input: asked }) => (asked.targets.length > 3 ? "all-or-nothing" : "best-effort"),
      uses: servers,
      run: async ({ part, input: asked, call }) => {
        same<string>(part.path + part.file);
        // @ts-expect-error a part has what parts() gave it, and nothing else
        same(part.port);
        same<string | undefined>(asked.targets[0]?.name);
        await call(servers(part.name), (client) => client.put(part.file));
        return done({ bytes: 1 });
      },
      undo: async ({ part, output, key }, client) => {
        same<number | undefined>(output?.bytes);
        same<string>(key);
        await client.put(part.path);
      },
      commit: async (_tx, items) => {
        for (const item of items) same<PartsOutput<{ bytes: number }>>(item.output);
      },
    })
    .stage("tell", {
      run: ({ out, part }) => {
        same<undefined>(part);
        same<readonly string[]>(out.deliver.delivered);
        same<number | undefined>(out.deliver.outputs["nas-1"]?.bytes);
        // @ts-expect-error a part's output is found under its name
        same(out.deliver.bytes);
        return done();
      },
    });

const typesOfOutsideParts = () =>
  definePipeline("media", { version: 1, input }).stage("deliver", {
    parts: ({ input: asked }) => asked.targets,
    outside: servers,
    start: async ({ part, key }, client) => {
      await client.put(part.path);
      return key;
    },
    adopt: async () => null,
    look: async (refs) => refs.map((ref) => ({ ref, state: "done" as const })),
    cancel: async () => undefined,
    finish: ({ part }) => done({ at: part.path }),
  });

test("the compiler has read the lines above", () => {
  expect(typesOfParts().stages[1]?.family?.family).toBe("server");
  expect(typesOfOutsideParts().stages[0]?.parts?.serviceOf("a")?.name).toBe("server:a");
});
