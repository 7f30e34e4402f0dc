// Counts loops that await and have no end of their own, by the tidy rule against them, without its exceptions.

import { join } from "node:path";
import { type Rule, rules } from "../tidy/rules.ts";
import { readProject } from "../tidy/source.ts";
import type { LoopFacts } from "./facts.ts";

const root = join(import.meta.dirname, "../..");

export function countLoops(): LoopFacts {
  const shipped = readProject(root).filter(({ path }) => path.startsWith("src/") && !/\.(test|check)\.ts$/.test(path));
  const work = shipped.filter(({ path }) => /^src\/(apps|connectors)\//.test(path));
  const { check } = theRule();
  const found = (of: typeof shipped) => of.flatMap((source) => check(source)).length;
  const inWork = found(work);
  return { files: work.length, inWork, elsewhere: found(shipped) - inWork };
}

function theRule(): Rule {
  const rule = rules.find(({ name }) => name === "only workers loop and await without an end");
  if (rule === undefined) throw new Error("the rule against loops has another name");
  return rule;
}
