// npm run proof: the long runs of what npm test runs briefly. For releases, and after changes to the heart of the engine.
import { runSteps, type Step } from "./run-steps.ts";

// One line per step. A step whose file does not exist fails; it is never left out on its own.
const steps: readonly Step[] = [
  { name: "simulation", command: ["node", "test/simulation/cli.ts", "--seeds", "2000"], limitSeconds: 3600 },
  { name: "simulation, every point", command: ["node", "test/simulation/cli.ts", "--exhaustive"], limitSeconds: 7200 },
  { name: "chaos", command: ["node", "test/chaos/cli.ts", "--seconds", "120", "--judge-times"], limitSeconds: 900 },
  { name: "scale", command: ["node", "test/scale/cli.ts"], limitSeconds: 900 },
  { name: "a month of a million items", command: ["node", "test/scale/month-cli.ts"], limitSeconds: 1800 },
  {
    name: "a million behind a breaker",
    command: [
      "env",
      "SLUICE_WAITING=1000000",
      "vitest",
      "run",
      "--project",
      "postgres",
      "test/postgres/breaker.test.ts",
    ],
    limitSeconds: 900,
  },
  { name: "mutants", command: ["node", "test/mutants/cli.ts"], limitSeconds: 7200 },
];

await runSteps(steps);
