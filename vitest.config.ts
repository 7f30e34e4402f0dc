import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";

// PGlite takes about 400 MB a process and several seconds to start cold, and the suite must run on two cores:
// two forked workers are the fastest that does not starve the tests of real servers.
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
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          // Files share their process, and what it has loaded: most are done in less time than a process takes to start
          // (73 s of both cores together with one for each, 42 s without). So none may leave anything behind.
          isolate: false,
          include: [
            "{src,scripts,bench,sandbox,dashboard}/**/*.test.ts",
            "test/tidy/**/*.test.ts",
            "test/model/model.test.ts",
            "test/functional/pglite.test.ts",
          ],
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        // Everything that needs real servers, processes or an install. A new folder in test/ lands here by itself, so
        // that no test file can be left out of every project.
        extends: true,
        test: {
          name: "postgres",
          include: ["test/**/*.test.ts"],
          exclude: ["test/tidy/**", "test/model/model.test.ts", "test/functional/pglite.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
