import { runSeed } from "./run-seed.ts";
const first = Number(process.argv[2] ?? 1), last = Number(process.argv[3] ?? first);
for (let seed = first; seed <= last; seed++) {
  const t = performance.now();
  const r = await runSeed(seed);
  console.log(seed, r.steps, r.fingerprint, Math.round(r.virtualMs), Math.round(performance.now() - t), "ms", r.violation ? `${r.violation.invariant}: ${r.violation.message}` : "ok");
  if (r.violation) { if (process.argv[4]) console.log(r.lines.join("\n")); }
  if (first===last) console.log(r.counts);
}
process.exit(0);
