// npm run promises [-- --quick]: shows one by one that what is promised is kept, and with --write says so in docs/promises.md. Exits 1 when
// one is not kept, or when a run was wrong in any other way.

import { readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import { readOptions } from "./options.ts";
import { fillIn, isKept, tables } from "./page.ts";
import { CHAPTERS, PROMISES } from "./promises.ts";
import { show } from "./show.ts";

const SHOWN_FINDINGS = 20;
const PAGE = new URL("../../docs/promises.md", import.meta.url);

const options = readOptions(process.argv.slice(2), Math.floor(Date.now() / 1_000));
if (typeof options === "string") {
  console.error(options);
  process.exit(2);
}
const over = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => over.abort());
const began = performance.now();
const say = (line: string) => console.log(`${((performance.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
try {
  const loads: number[] = [];
  const looking = setInterval(() => loads.push(os.loadavg()[0] ?? 0), 10_000);
  const facts = await show(options, say, over.signal).finally(() => clearInterval(looking));
  const { requests, seconds, seed } = options;
  const cores = os.cpus();
  const about =
    `${requests} requests in ${seconds} s of faults on ${cores.length} × ${cores[0]?.model ?? "unknown"}, ` +
    `${Math.round(os.totalmem() / 2 ** 30)} GB, ${os.type()} ${os.release()}, Node ${process.version}; load up to ${Math.max(0, ...loads).toFixed(1)}; seed ${seed}.`;
  if (options.writes) writeFileSync(PAGE, fillIn(readFileSync(PAGE, "utf8"), tables(CHAPTERS, facts, about)));
  for (const promise of PROMISES)
    console.log(`${isKept(promise, facts) ? "met    " : "NOT MET"}  ${promise.name}: ${promise.measured(facts)}`);
  for (const { file, title } of facts.notPassed) console.log(`did not pass: ${file}: ${title}`);
  for (const finding of [...facts.chaos.findings.slice(0, SHOWN_FINDINGS), ...facts.requests.findings])
    console.log(`FAILED: ${finding}`);
  console.log(about);
  const kept = PROMISES.filter((promise) => isKept(promise, facts)).length;
  console.log(`${kept} of ${PROMISES.length} promises kept`);
  process.exit(kept === PROMISES.length && facts.requests.findings.length === 0 ? 0 : 1);
} catch (error) {
  console.error(error);
  process.exit(1);
}
