import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";

// The suite must run on two cores. What computes has two processes. What speaks to servers, services and browsers waits for
// them half of its time: a third process uses that, and does not starve the others.
const COMPUTING = { maxWorkers: 2, sequence: { groupOrder: 1 } };
const WAITING = { maxWorkers: 3, sequence: { groupOrder: 0 } };

// With PGlite alone, in one process, on a clock of their own.
const IN_MEMORY = [
  "test/{behaviour,simulation}/**/*.test.ts",
  "test/documents/{admission,again,ownership,policy,retention,two-workers,upload}.test.ts",
  "test/media/{asking,choosing,delivering,encoding-stage,media,seeding,stalls}.test.ts",
  "test/server/{access,access-log,accounts,actions,alerts,app,channels,contract,dashboard,dry-run,item-possible}.test.ts",
  "test/server/{items,media-settings,metrics,outage,resources,sandbox,traces,transition-log,trends,versions}.test.ts",
];
// Minutes of real encodes and of everything that can break there: steps of npm run proof. npm test has what matters most of it
// (encoding), all of it in virtual time (encoding-stage, delivering) or on real servers (delivering-real), and whole in the demo.
const PROOFS = ["test/media/{encoding-waits,encoding-far}.test.ts", "test/sandbox/media-deliveries.test.ts"];
const QUICK = ["test/{promises,tidy}/**/*.test.ts", "test/model/model.test.ts", "test/functional/pglite.test.ts"];

export default defineConfig({
  // What others import as "sluice" is the built package; here it is the sources.
  resolve: {
    alias: [
      { find: /^sluice$/, replacement: new URL("./src/engine/index.ts", import.meta.url).pathname },
      { find: /^sluice\/connectors$/, replacement: new URL("./src/connectors/index.ts", import.meta.url).pathname },
      { find: /^sluice\/testing$/, replacement: new URL("./src/engine/testing/index.ts", import.meta.url).pathname },
    ],
  },
  test: {
    pool: "forks",
    // A second, which would do on an idle machine, is not what any of them is about.
    expect: { poll: { timeout: 30_000 } },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          ...COMPUTING,
          // Files share their process, and what it has loaded: most are done in less time than a process takes to start
          // (73 s of both cores together with one for each, 42 s without). So none may leave anything behind.
          isolate: false,
          include: ["{src,scripts,bench,sandbox,dashboard}/**/*.test.ts", ...QUICK],
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: "memory",
          ...COMPUTING,
          // As above: PGlite takes seconds to start cold, and a fraction of one where it has run before.
          isolate: false,
          include: IN_MEMORY,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        // Everything that needs real servers, processes or an install. A new folder in test/ lands here by itself, so
        // that no test file can be left out of every project.
        extends: true,
        test: {
          name: "postgres",
          ...WAITING,
          include: ["test/**/*.test.ts"],
          exclude: [...QUICK, ...IN_MEMORY, ...(process.env.SLUICE_PROOF === undefined ? PROOFS : [])],
          maxConcurrency: 8,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
