// Everybody who may take part. Loaded by name, so that a measured process contains its contender and nobody else's code.

import type { Contender } from "../contender.ts";

const catalogue = {
  "raw journal": async () => (await import("./raw-journal.ts")).rawJournal,
  "raw queue": async () => (await import("./raw-queue.ts")).rawQueue,
  statements: async () => (await import("./statements.ts")).statements,
  sluice: async () => (await import("./sluice.ts")).sluice,
  "sluice beside what waits": async () => (await import("./sluice-surroundings.ts")).sluiceBesideWhatWaits,
  "pg-boss": async () => (await import("./pg-boss.ts")).pgBoss,
  "graphile-worker": async () => (await import("./graphile-worker.ts")).graphileWorker,
  "bullmq on redis": async () => (await import("./bullmq.ts")).bullmqOnRedis,
  "bullmq on postgres": async () => (await import("./bullmq.ts")).bullmqOnPostgres,
  dbos: async () => (await import("./dbos.ts")).dbos,
  "sluice embedded": async () => (await import("./embedded.ts")).sluiceEmbedded,
  "pg-boss on pglite": async () => (await import("./embedded.ts")).pgBossOnPglite,
  "raw journal on pglite": async () => (await import("./embedded.ts")).rawJournalOnPglite,
} satisfies Record<string, () => Promise<Contender>>;

export type ContenderName = keyof typeof catalogue;

/** Who is compared with us; the rest is ours or the limit. */
export const peers: ReadonlySet<ContenderName> = new Set([
  "pg-boss",
  "graphile-worker",
  "bullmq on redis",
  "bullmq on postgres",
  "dbos",
  "pg-boss on pglite",
]);

export const loadContender = (name: ContenderName): Promise<Contender> => catalogue[name]();
