// What the job service remembers against what the engine believes: each item's work done once, nothing believed done that
// was not, nothing going on that nobody wants, and no outage counted against an item.

import { ITEM_STATE, JOURNAL_KIND as KIND } from "../../src/engine/items/codes.ts";
import { type Evidence, type Finding, type ItemRow, type JobFact, type JournalRow, PLANTED } from "./evidence.ts";
import { UNAVAILABLE } from "./outages.ts";
import { convert } from "./pipelines.ts";

export function checkJobs(evidence: Evidence): Finding[] {
  const items = evidence.items.filter((item) => item.pipeline === convert.name);
  const byTag = Map.groupBy(evidence.jobs, (job) => job.tag);
  const journals = Map.groupBy(evidence.journal, (row) => row.item);
  return [
    ...items.flatMap((item) => checkItem(item, byTag.get(item.input.tag) ?? [], journals.get(item.id) ?? [])),
    ...evidence.jobs.flatMap((job) => checkJob(job, items)),
    ...checkWebhooks(evidence),
    ...checkBlame(evidence, items),
    ...checkRemovals(evidence),
  ];
}

function checkItem(item: ItemRow, jobs: readonly JobFact[], journal: readonly JournalRow[]): Finding[] {
  const findings: Finding[] = [];
  const done = jobs.reduce((sum, job) => sum + job.effects, 0);
  if (done > 1) findings.push({ kind: "effect twice", what: `its job was done ${done} times`, item: item.id });
  if (item.state === ITEM_STATE.done && done === 0)
    findings.push({ kind: "lost", what: "is done, and its job never was", item: item.id });
  const series = Math.max(1, ...journal.map((row) => row.series ?? 1));
  if (jobs.length > series)
    findings.push({ kind: "effect twice", what: `${jobs.length} keys in ${series} series`, item: item.id });
  return findings;
}

function checkJob(job: JobFact, items: readonly ItemRow[]): Finding[] {
  const item = items.find((one) => one.input.tag === job.tag);
  const whose = item === undefined ? {} : { item: item.id };
  const findings: Finding[] = [];
  if (item === undefined && job.tag !== PLANTED)
    findings.push({ kind: "lost", what: `job ${job.key} for ${job.tag}, which is in no table` });
  if (isOrphan(job, item))
    findings.push({ kind: "other", what: `job ${job.key} goes on and nobody owns it`, ...whose });
  return findings;
}

function isOrphan(job: JobFact, item: ItemRow | undefined): boolean {
  return job.isAlive && item?.state !== ITEM_STATE.live;
}

/** A job ends once, however many say so. */
function checkWebhooks({ webhooks }: Evidence): Finding[] {
  const news = Map.groupBy(
    webhooks.filter((one) => one.isNews),
    (one) => one.key,
  );
  return [...news].flatMap(([key, all]) =>
    all.length > 1 ? [{ kind: "recorded twice", what: `the end of job ${key} was news ${all.length} times` }] : [],
  );
}

/** It is tried for as long as it takes. */
function checkRemovals({ removals: { failed } }: Evidence): Finding[] {
  return failed === 0 ? [] : [{ kind: "other", what: `${failed} removals of jobs were given up` }];
}

function checkBlame({ journal }: Evidence, items: readonly ItemRow[]): Finding[] {
  const ours = new Set(items.map((item) => item.id));
  return journal
    .filter((row) => row.kind === KIND.fault && row.attempt !== null && UNAVAILABLE.has(row.code ?? ""))
    .filter((row) => ours.has(row.item))
    .map((row) => ({ kind: "blameless failure", what: `${row.code} cost it attempt ${row.attempt}`, item: row.item }));
}
