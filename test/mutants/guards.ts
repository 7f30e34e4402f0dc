// Finds the guards in SQL: whatever keeps two writers, or one that comes late, from doing harm. No list by hand: a new
// statement's guards are found the day it is written.

import { type Literal, literalsOf } from "./literals.ts";

export interface Guard {
  /** Statement, what it guards with, and which one of several alike. */
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** What stood there. */
  readonly original: string;
  /** A statement that contains this text contains the guard. */
  readonly piece: string;
}

/** Put where a guard was, so that a run can tell that the planted statement was reached. */
export const MARK = "/* planted */";

interface Cut {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly what: string;
}

// What a predicate must speak of to be a guard: fences, states, times, valves, caps, what is over, locks taken before. What
// merely joins rows (a.id = b.id) is no guard; without it nothing works at all.
const guarding = [
  /\b(version|epoch|beat|run_version|generation)\s*(=|<|<=)\s/,
  /\b(state|ended|kind|scope|attempts)\s*(=|<>)\s/,
  /\b(is_over|is_open|closed)\b/,
  /\bprobe_(epoch|at|until)\s*(=|<=|>)\s/,
  /_at is (not )?null/,
  /\bcap is null/,
  /\bper_key is (not )?null/,
  /\broom > 0/,
  /\b(ready_at|expires_at|due_at|fallback_at|deadline_at)\s*(<|<=|>|>=)\s/,
  /\bstage = (0|\w+\.stage)\b/,
  /\breason is null/,
  /\bexists \(/,
  /^\s*not _/,
  /\bcount\(\*\) from locked/,
  /\btotal\b/,
  /\b(xid|xmin)\b/,
  /\bfrom (urgent|open_lane)\)/,
  /\bv\.(pipeline|version|stage|service) is null/,
  /\binvites >= /,
  /\boctet_length\(/,
  /<@ array \(select/,
  /\bname = 'feed'|->> '(system|timeline)' is distinct/,
];

const ENDS_PREDICATE =
  /^(and|order by|group by|limit|returning|for (no key )?update|union|on conflict|left join|join|cross join|then|end|as|from|set|where|when)\b/;

export function guardsIn(file: string, source: string): Guard[] {
  const isSchema = file.includes("/migrations/");
  const seen = new Map<string, number>();
  return literalsOf(source).flatMap((literal) =>
    (isSchema ? schemaCuts(literal) : [...predicateCuts(literal), ...lockCuts(literal), ...writeCuts(literal)])
      .sort((a, b) => a.start - b.start)
      .map((cut) => toGuard(file, source, literal, cut, seen)),
  );
}

function toGuard(file: string, source: string, literal: Literal, cut: Cut, seen: Map<string, number>): Guard {
  const start = literal.start + cut.start;
  const name = `${literal.name}: ${cut.what.replace(/\s+/g, " ").trim()}`;
  const count = (seen.get(name) ?? 0) + 1;
  seen.set(name, count);
  const piece = literal.pieces.findLast((one) => one.start <= start);
  return {
    name: count === 1 ? name : `${name} (${count})`,
    file,
    line: source.slice(0, start).split("\n").length,
    start,
    end: literal.start + cut.end,
    replacement: cut.replacement,
    original: literal.source.slice(cut.start, cut.end),
    piece: piece?.text ?? "",
  };
}

/** Every predicate of a `where`, `on`, `and` that guards becomes true; where it has alternatives, each of them false as well. */
function predicateCuts({ text, source }: Literal): Cut[] {
  const cuts: Cut[] = [];
  const raw = (start: number, end: number) => source.slice(start, end);
  const starts = [...text.matchAll(/\b(where|and|on)\s+(?!conflict\b)/g)].map((word) => word.index + word[0].length);
  // A fragment that others put into their statements begins with a predicate.
  if (!/^\s*(select|with|insert|update|delete|create|set|exists|\()/.test(text)) starts.unshift(0);
  for (const start of starts) {
    const end = endOfPredicate(text, start);
    const what = text.slice(start, end);
    if (!guarding.some((pattern) => pattern.test(what))) continue;
    // Not "true" alone: the parameters in it must keep their types, or the server refuses the statement and proves nothing.
    cuts.push({ start, end, replacement: `(${raw(start, end)} or true) ${MARK}`, what });
    for (const option of alternatives(what)) {
      const from = start + option.start;
      cuts.push({
        start: from,
        end: from + option.text.length,
        replacement: `(${raw(from, from + option.text.length)} and false) ${MARK}`,
        what: `or ${option.text}`,
      });
    }
  }
  return cuts;
}

function endOfPredicate(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    else if (text[at] === ")") depth -= 1;
    if (depth < 0 || (depth === 0 && text[at] === ",")) return trimEnd(text, start, at);
    const isWord = at > start && depth === 0 && /\s/.test(text[at - 1] ?? "");
    const isPart = /\bdistinct $/.test(text.slice(start, at));
    if (isWord && !isPart && ENDS_PREDICATE.test(text.slice(at, at + 20))) return trimEnd(text, start, at);
  }
  return trimEnd(text, start, text.length);
}

function trimEnd(text: string, start: number, end: number): number {
  return start + text.slice(start, end).trimEnd().length;
}

function alternatives(what: string): { start: number; text: string }[] {
  const found: { start: number; text: string }[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < what.length; at += 1) {
    if (what[at] === "(") depth += 1;
    if (what[at] === ")") depth -= 1;
    if (depth === 0 && /^\sor\s/.test(what.slice(at, at + 4))) {
      found.push({ start: from, text: what.slice(from, at).trimEnd() });
      from = at + 4;
    }
  }
  return found.length === 0 ? [] : [...found, { start: from, text: what.slice(from) }];
}

/** Row locks, with "nowait" if they have it, "skip locked" by itself, and the order in which rows are locked. */
function lockCuts({ text }: Literal): Cut[] {
  const cuts: Cut[] = [];
  for (const lock of text.matchAll(/for (no key )?update( of \w+(?:, \w+)*)?( skip locked| nowait)?(?=\s|$)/g)) {
    const [what] = lock;
    cuts.push({ start: lock.index, end: lock.index + what.length, replacement: MARK, what });
    const skip = what.indexOf(" skip locked");
    if (skip < 0) continue;
    const at = lock.index + skip;
    cuts.push({
      start: at,
      end: lock.index + what.length,
      replacement: MARK,
      what: `${what.slice(0, skip)} without skip locked`,
    });
  }
  for (const order of text.matchAll(
    /order by [\w., ]+?(?=\s+(limit \S+\s+)?for (no key )?update)|order by [ru]\.id\b/g,
  )) {
    cuts.push({ start: order.index, end: order.index + order[0].length, replacement: MARK, what: order[0] });
  }
  return cuts;
}

/** Versions that must rise, and what happens on a conflict. */
function writeCuts({ text }: Literal): Cut[] {
  const cuts: Cut[] = [];
  for (const rise of text.matchAll(/\b((?:\w+\.)?(?:version|run_version|beat|generation)) \+ 1\b/g)) {
    cuts.push({
      start: rise.index,
      end: rise.index + rise[0].length,
      replacement: `${rise[1]} ${MARK}`,
      what: rise[0],
    });
  }
  for (const most of text.matchAll(/greatest\((\w+\.valve_generation), ([^)]+)\)/g)) {
    cuts.push({
      start: most.index,
      end: most.index + most[0].length,
      replacement: `${most[2]} ${MARK}`,
      what: most[0],
    });
  }
  const conflict = /on conflict \([\w, ]+\) do (nothing|update\s+set [\s\S]*?)(?=\s*(returning\b|where\b|\n\)|$))/g;
  for (const clause of text.matchAll(conflict)) {
    // With a "where" behind it the clause cannot go alone; that predicate is a guard of its own.
    if (clause[2] === "where") continue;
    const end = clause.index + clause[0].length;
    cuts.push({ start: clause.index, end, replacement: MARK, what: clause[0].replace(/\s+set [\s\S]*/, "") });
  }
  for (const lock of text.matchAll(/pg_advisory_xact_lock\(_\s*_\)/g)) {
    cuts.push({
      start: lock.index,
      end: lock.index + lock[0].length,
      replacement: `1 ${MARK}`,
      what: "pg_advisory_xact_lock",
    });
  }
  return cuts;
}

/** Primary keys and unique constraints. */
function schemaCuts({ text }: Literal): Cut[] {
  const cuts: Cut[] = [];
  const unique =
    /,\s*(primary key|unique( nulls not distinct)?) \([^)]*\)| (primary key|unique)(?=[,\s])|\bunique (?=index)/g;
  for (const found of text.matchAll(unique)) {
    const before = text.slice(0, found.index);
    const table = /create table (\S+) \((?![\s\S]*create table)/.exec(before)?.[1] ?? "";
    const column = found[0].startsWith(",") ? "" : ` of ${/(\w+) [^\n]*$/.exec(before)?.[1] ?? ""}`;
    const what = `${table} ${found[0].replace(/^,/, "").trim()}${column}`;
    cuts.push({ start: found.index, end: found.index + found[0].length, replacement: ` ${MARK}`, what });
  }
  return cuts;
}
