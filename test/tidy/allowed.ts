// Exceptions to the tidy rules, each with its reason. An entry that is no longer needed fails the test.

export interface Allowed {
  readonly rule: string;
  /** A file, or a folder ending in a slash. */
  readonly path: string;
  readonly reason: string;
}

const time = "time and chance are injected";
const loops = "only workers loop and await without an end";
const processes = "only src/main touches the process";

export const allowed: readonly Allowed[] = [
  { rule: time, path: "src/kit/clock.ts", reason: "the one place that asks the machine for time" },
  { rule: time, path: "src/kit/random.ts", reason: "the one place that rolls dice" },
  {
    rule: time,
    path: "src/kit/testing/",
    reason: "stands in for the clock, and needs a turn of the event loop for it",
  },
  { rule: loops, path: "src/kit/start-stop.ts", reason: "the one loop that can be stopped, which others are given" },
  { rule: loops, path: "src/kit/testing/", reason: "ends when no sleeper is due; only tests drive it" },
  { rule: loops, path: "src/engine/testing/", reason: "ends when nothing moves any more; only tests drive it" },
  { rule: loops, path: "src/engine/db/embedded/wait.ts", reason: "bounded by the time slept, which is counted" },
  { rule: loops, path: "src/server/http/multipart.ts", reason: "ends with the body, whose bytes are counted" },
  {
    rule: processes,
    path: "src/engine/db/embedded/",
    reason: "runs a server: accounts, signals and platform are its subject",
  },
  { rule: processes, path: "src/engine/open.ts", reason: "DATABASE_URL decides where nobody named a database" },
  {
    rule: processes,
    path: "src/engine/testing/",
    reason: "a template per version of Node, written under a name of its own",
  },
  {
    rule: processes,
    path: "src/engine/workers/os/",
    reason: "who this process is, whether another has ended, and children that run its entry again",
  },
  {
    rule: processes,
    path: "src/connectors/encoder/runner/",
    reason: "a process of its own for each job, and how it is started: arguments, signals, environment",
  },
  {
    rule: processes,
    path: "src/connectors/gateway/embedded/runner/",
    reason: "a process of its own for each PDF, and how it is started: arguments, output, environment",
  },
  {
    rule: processes,
    path: "src/connectors/gateway/embedded/jail.ts",
    reason: "whether it is root's, which decides how what reads a PDF is confined",
  },
  {
    rule: processes,
    path: "src/connectors/encoder/files.ts",
    reason: "names of files that no other process makes, by its own number",
  },
  ...["child-process", "process-group", "process-identity"].map((file) => ({
    rule: processes,
    path: `src/connectors/kit/${file}.ts`,
    reason: "starts, finds and ends programs: environment, signals and platform are its subject",
  })),
];
