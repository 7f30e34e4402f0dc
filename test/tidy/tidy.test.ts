import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { allowed } from "./allowed.ts";
import { maxLines, type Rule, rules } from "./rules.ts";
import { type Finding, readProject, sourceOf } from "./source.ts";

const root = join(import.meta.dirname, "../..");
const sources = readProject(root);

/** Each rule looks once: every exception asks for the same findings again. */
const found = new Map<Rule, Finding[]>();
function findings(rule: Rule): Finding[] {
  const known = found.get(rule);
  if (known !== undefined) return known;
  const all = sources.filter((source) => rule.appliesTo(source.path)).flatMap((source) => rule.check(source));
  found.set(rule, all);
  return all;
}

const covers = (path: string, file: string): boolean => (path.endsWith("/") ? file.startsWith(path) : file === path);

describe("the project is tidy", () => {
  it("has sources to look at", () => {
    expect(sources.filter((source) => source.path.startsWith("src/") && source.tree !== undefined)).not.toEqual([]);
  });

  it.each(rules)("$name", (rule) => {
    const excused = allowed.filter((entry) => entry.rule === rule.name);
    const open = findings(rule).filter(({ path }) => !excused.some((entry) => covers(entry.path, path)));
    expect(open.map(({ path, line, what }) => `${path}:${line} ${what}`)).toEqual([]);
  });

  it.each(allowed)("still needs the exception for $path: $reason", (entry) => {
    const rule = rules.find(({ name }) => name === entry.rule);
    if (rule === undefined) throw new Error(`no rule is called "${entry.rule}"`);
    expect(findings(rule).some(({ path }) => covers(entry.path, path))).toBe(true);
  });

  it("has a lock file that names no registry", () => {
    expect(readFileSync(join(root, "package-lock.json"), "utf8")).not.toContain('"resolved"');
  });
});

/** For every rule, what it must catch and what it must leave alone. */
const samples: readonly { rule: string; path: string; red: readonly string[]; green: readonly string[] }[] = [
  {
    rule: `a file has at most ${maxLines} lines`,
    path: "src/kit/a.ts",
    red: ["export {};\n".repeat(maxLines + 1)],
    green: ["export {};\n".repeat(maxLines)],
  },
  {
    rule: "nothing is typed any",
    path: "src/kit/a.ts",
    red: ["const a: any = 1;", "f(x as any);", "const m = new Map<string, any>();", "const é = 1 as unknown as any[];"],
    green: ["// any: any", 'const any = "as any";'],
  },
  {
    rule: "no work is left as a note",
    path: "docs/a.md",
    red: [["TO", "DO"].join(""), ["FIX", "ME: later"].join("")],
    green: ["to do"],
  },
  {
    rule: "no test is skipped or focused",
    path: "src/kit/a.test.ts",
    red: ["it.skip(f)", "describe.only(f)", "test.skipIf(x)(f)", "describe.concurrent.skip(f)", "it.todo('x')"],
    green: ["it.each(x)(f)", "list.skip(3)", "// it.skip"],
  },
  {
    rule: "only src/main writes to the console",
    path: "src/engine/a.ts",
    red: ["console.log(1)", 'import c from "node:console"', "globalThis.console.log(1)"],
    green: ['const a = "console.log"', "a.console.log(1)"],
  },
  {
    rule: "only src/main touches the process",
    path: "src/engine/a.ts",
    red: ["process.exit(1)", "const a = process.env.A", 'import { env } from "node:process"', "globalThis.process.pid"],
    green: ["// process.exit", "a.process.b()", 'import { spawn } from "node:child_process"'],
  },
  {
    rule: "nothing points outside the project",
    path: "README.md",
    red: [["see ..", "shared/design"].join("/")],
    green: ["see docs/shared.md"],
  },
  {
    rule: "time and chance are injected",
    path: "src/engine/items/a.ts",
    red: [
      "Date.now()",
      "new Date()",
      "Math.random()",
      "performance.now()",
      "crypto.randomUUID()",
      "globalThis.crypto.randomUUID()",
      'import { randomUUID } from "node:crypto"',
      'import { setTimeout } from "node:timers/promises"',
      "setTimeout(f, 1)",
      "globalThis.setTimeout(f, 1)",
      "setInterval(f, 1)",
      "setImmediate(f)",
    ],
    green: ["new Date(row.at)", "clock.now()", 'import { createHash } from "node:crypto"', "random.next()"],
  },
  {
    rule: "only workers loop and await without an end",
    path: "src/engine/items/a.ts",
    red: [
      "async function f() { while (x) { await g(); } }",
      "async function f() { for (;;) { if (x) await g(); } }",
      "async function f() { do { await g(); } while (x); }",
    ],
    green: [
      "async function f() { for (const x of y) await g(x); }",
      "async function f() { for (let i = 0; i < 3; i += 1) await g(); }",
      "while (x) { list.push(async () => { await g(); }); }",
    ],
  },
  {
    rule: "SQL reads the clock through sluice.now()",
    path: "src/engine/items/a.sql.ts",
    red: [
      "const q = `select now()`",
      "const q = 'select current_timestamp'",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a template inside the sample
      "const q = `select ${a} where x < clock_timestamp()`",
      "const q = `at timestamptz not null default sluice.now()`",
      "const q = `select 'now'::timestamptz`",
      "const q = `select gen_random_uuid()`",
      "const q = `create function sluice.now() returns timestamptz language sql as 'select now()'; select now();`",
    ],
    green: [
      "// now()",
      "const q = `select sluice.now() -- not now()\n`",
      "const q = `create function sluice.now() returns timestamptz language sql as 'select now()';`",
      "const q = `create or replace function sluice.now() returns timestamptz language sql as $$ select now() $$;`",
    ],
  },
  {
    rule: "only the engine moves items",
    path: "src/apps/media/store/a.sql.ts",
    red: [
      "const q = `update sluice.run set state = 1`",
      "const q = `with a as (delete from only sluice.item returning id) select id from a`",
      "const q = 'insert into\\n  sluice.journal (kind) values (1)'",
    ],
    green: [
      "const q = `select state from sluice.run for update`",
      "const q = `update media.film set title = $1 where item_id in (select id from sluice.item)`",
      "const q = `select 1 -- update sluice.run`",
      "// update sluice.run",
    ],
  },
];

const shown = (text: string) => ({ text, start: text.slice(0, 80) });

describe("the tidy rules", () => {
  it("have samples, all of them", () => {
    expect(samples.map(({ rule }) => rule)).toEqual(rules.map(({ name }) => name));
  });

  describe.each(samples)("$rule", ({ rule: name, path, red, green }) => {
    const rule = rules.find((candidate) => candidate.name === name);
    const check = (text: string): Finding[] => rule?.check(sourceOf(path, text)) ?? [];

    it("look at the file", () => expect(rule?.appliesTo(path)).toBe(true));
    it.each(red.map(shown))("catch $start", ({ text }) => expect(check(text)).not.toEqual([]));
    it.each(green.map(shown))("leave $start alone", ({ text }) => expect(check(text)).toEqual([]));
  });

  it("point at the line, also behind letters of several bytes", () => {
    const rule = rules.find(({ name }) => name === "nothing is typed any");
    expect(rule?.check(sourceOf("src/a.ts", "// ééé\n\nconst a: any = 1;\n"))).toEqual([
      { path: "src/a.ts", line: 3, what: "any" },
    ]);
  });
});
