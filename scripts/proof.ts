// npm run proof: the long runs of what npm test runs briefly. For releases, and after changes to the heart of the engine.
import { runSteps, type Step } from "./run-steps.ts";

/** A test that npm test runs on a small scale, as large as the environment says. */
function large(name: string, file: string, scale: readonly string[], limitSeconds: number): Step {
  return { name, command: ["env", ...scale, "vitest", "run", "--project", "postgres", file], limitSeconds };
}

// One line per step. A step whose file does not exist fails; it is never left out on its own.
const steps: readonly Step[] = [
  { name: "simulation", command: ["node", "test/simulation/cli.ts", "--seeds", "2000"], limitSeconds: 3600 },
  { name: "simulation, every point", command: ["node", "test/simulation/cli.ts", "--exhaustive"], limitSeconds: 7200 },
  { name: "chaos", command: ["node", "test/chaos/cli.ts", "--seconds", "120", "--judge-times"], limitSeconds: 900 },
  {
    name: "chaos, with as many in hand as the benchmark has",
    command: ["node", "test/chaos/cli.ts", "--seconds", "60", "--concurrency", "3000"],
    limitSeconds: 900,
  },
  {
    name: "ten thousand items, each asked why",
    command: ["node", "test/chaos/cli.ts", "--seconds", "140", "--explain-all"],
    limitSeconds: 900,
  },
  { name: "scale", command: ["node", "test/scale/cli.ts"], limitSeconds: 900 },
  { name: "a month of a million items", command: ["node", "test/scale/month-cli.ts"], limitSeconds: 1800 },
  { name: "lists among a million items", command: ["node", "test/scale/lists-cli.ts"], limitSeconds: 900 },
  large("encoders killed, stopped, cut off and blind", "test/media/encoding", ["SLUICE_PROOF=1"], 900),
  large("encoders and servers of the sandbox", "test/sandbox/media-deliveries.test.ts", ["SLUICE_PROOF=1"], 900),
  large("a million behind a breaker", "test/postgres/breaker.test.ts", ["SLUICE_WAITING=1000000"], 900),
  large(
    "a hundred thousand behind a switch",
    "test/postgres/switches.test.ts",
    ["SLUICE_FLIPPED=100000", "SLUICE_FLIPS=100"],
    1800,
  ),
  large("finders on four servers", "test/postgres/finders.test.ts", ["SLUICE_ENTITIES=20000"], 1500),
  large(
    "a bulk retry of 50,000, killed five times",
    "test/postgres/bulk.test.ts",
    ["SLUICE_BULK=50000", "SLUICE_KILLS=5"],
    900,
  ),
  {
    name: "five hundred listeners, coming and going",
    command: ["node", "test/server/feed-load-cli.ts", "--clients", "500", "--rate", "50", "--seconds", "120"],
    limitSeconds: 300,
  },
  {
    name: "a server killed with 200 items running",
    command: ["node", "test/server/feed-load-cli.ts", "--clients", "200", "--kill", "200"],
    limitSeconds: 120,
  },
  {
    name: "an upload of 2 GB, cut, and beside OpenSSH's own",
    command: ["node", "test/media/upload-cli.ts", "--megabytes", "2000"],
    limitSeconds: 600,
  },
  {
    name: "ten thousand downloads on a scripted client, three hundred on qBittorrent",
    command: ["node", "test/media/many-downloads-cli.ts"],
    limitSeconds: 1800,
  },
  {
    name: "a torrent that stands still, and the next one",
    command: ["node", "test/media/stall-cli.ts"],
    limitSeconds: 600,
  },
  {
    // Three hundred requests under random faults are among it.
    name: "everything that is promised, shown one by one",
    command: ["node", "test/promises/cli.ts"],
    limitSeconds: 2400,
  },
  {
    name: "two thousand documents while the gateway flaps and workers die",
    command: [
      "node",
      "test/documents/load-cli.ts",
      "--uploads",
      "2000",
      "--least-seconds",
      "150",
      "--outage-seconds",
      "90",
    ],
    limitSeconds: 1800,
  },
  large(
    "ten thousand documents behind a gateway that is away",
    "test/documents/queue.test.ts",
    ["SLUICE_DOCUMENTS=10000"],
    1800,
  ),
  { name: "mutants", command: ["node", "test/mutants/cli.ts"], limitSeconds: 7200 },
];

await runSteps(steps);
