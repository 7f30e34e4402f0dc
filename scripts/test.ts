// npm test: everything that must hold before a change lands, in about the time of a cup of tea.
import { runSteps, type Step } from "./run-steps.ts";

// One line per step. A step whose file does not exist fails; it is never left out on its own.
const steps: readonly Step[] = [
  { name: "format and lint", command: ["biome", "check", "."], limitSeconds: 60 },
  { name: "types", command: ["tsc", "--noEmit"], limitSeconds: 120 },
  { name: "types of the dashboard", command: ["tsc", "--noEmit", "--project", "dashboard"], limitSeconds: 120 },
  { name: "dashboard", command: ["node", "scripts/dashboard.ts"], limitSeconds: 120 },
  { name: "import direction", command: ["npm", "run", "--silent", "imports"], limitSeconds: 60 },
  { name: "tests", command: ["vitest", "run"], limitSeconds: 1800, counts: "vitest" },
  { name: "demo", command: ["npm", "run", "--silent", "demo", "--", "--once"], limitSeconds: 300 },
  {
    name: "small demo",
    command: ["npm", "run", "--silent", "demo", "--", "--world", "films", "--once"],
    limitSeconds: 180,
  },
  // Short runs of the long proofs; their long runs stand in proof.ts.
  { name: "simulation", command: ["node", "test/simulation/cli.ts", "--seeds", "40"], limitSeconds: 300 },
  { name: "chaos", command: ["node", "test/chaos/cli.ts", "--seconds", "20"], limitSeconds: 300 },
  {
    name: "requests under faults",
    command: ["node", "test/media/requests-cli.ts", "--requests", "20", "--seconds", "15"],
    limitSeconds: 420,
  },
  {
    name: "documents under load",
    command: ["node", "test/documents/load-cli.ts", "--uploads", "120", "--minutes", "3"],
    limitSeconds: 300,
  },
  { name: "mutants", command: ["node", "test/mutants/cli.ts", "--sample", "12"], limitSeconds: 420 },
];

await runSteps(steps);
