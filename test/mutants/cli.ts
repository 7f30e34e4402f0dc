// npm run mutants [-- --sample N | --only part-of-a-name]: takes each guard away in turn; something must turn red.

import { parseArgs } from "node:util";
import { ARENA_SERVER, Arena } from "../interleavings/arena.ts";
import { glance } from "../interleavings/explore.ts";
import { scenarios } from "../interleavings/scenarios/index.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { equivalent } from "./equivalent.ts";
import { findGuards } from "./files.ts";
import type { Guard } from "./guards.ts";
import { type Outcome, tryWithout } from "./trial.ts";

const AT_ONCE = 2;

/** Which statements a scenario sends, and how long its first interleaving takes. */
interface Reach {
  readonly name: string;
  readonly texts: ReadonlySet<string>;
  readonly ms: number;
}

const { values } = parseArgs({
  options: {
    sample: { type: "string" },
    only: { type: "string" },
    list: { type: "boolean" },
    seeds: { type: "string", default: "200" },
  },
});

async function measureReach(server: TestServer): Promise<Reach[]> {
  const arena = await Arena.open(server, "reach");
  const found: Reach[] = [];
  for (const scenario of scenarios) {
    const texts = new Set<string>();
    arena.onStatement = ({ text }) => texts.add(text);
    const start = performance.now();
    await glance(arena, scenario);
    found.push({ name: scenario.name, texts, ms: performance.now() - start });
  }
  await arena.close();
  return found;
}

/** Those that send the guard's statement, the one that sends fewest others first: it is likely to be about it. */
function scenariosFor(guard: Guard, reach: readonly Reach[]): string[] {
  const isSchema = guard.file.includes("/migrations/");
  const isMigration = guard.file.endsWith("/migrate.ts");
  if (isMigration) return scenarios.filter(({ name }) => name.includes("migrate")).map(({ name }) => name);
  const fitting = isSchema ? reach : reach.filter(({ texts }) => [...texts].some((text) => text.includes(guard.piece)));
  return bySize(fitting);
}

function bySize(reach: readonly Reach[]): string[] {
  return [...reach].sort((a, b) => a.texts.size - b.texts.size || a.ms - b.ms).map(({ name }) => name);
}

/** A spread over all of them that is the same every time. */
function sample(guards: readonly Guard[], wanted: number): Guard[] {
  const step = guards.length / Math.min(wanted, guards.length);
  return Array.from(
    { length: Math.min(wanted, guards.length) },
    (_, index) => guards[Math.floor(index * step)] as Guard,
  );
}

function choose(all: readonly Guard[]): Guard[] {
  const { only, sample: count } = values;
  if (only !== undefined) return all.filter((guard) => `${guard.file} ${guard.name}`.includes(only));
  const tried = all.filter((guard) => equivalent[guard.name] === undefined);
  return count === undefined ? [...all] : sample(tried, Number(count));
}

async function tryAll(
  guards: readonly Guard[],
  servers: readonly TestServer[],
  reach: readonly Reach[],
): Promise<Map<Guard, Outcome>> {
  const outcomes = new Map<Guard, Outcome>();
  const queue = [...guards];
  const work = async (server: TestServer, lane: number): Promise<void> => {
    for (let guard = queue.shift(); guard !== undefined; guard = queue.shift()) {
      if (equivalent[guard.name] !== undefined) continue;
      const start = performance.now();
      const order = {
        server: serverUrl(server),
        database: `mutant_${lane}`,
        scenarios: scenariosFor(guard, reach),
      };
      const outcome = await tryWithout(guard, order, Number(values.seeds));
      outcomes.set(guard, outcome);
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      const said = outcome.is === "killed" ? `killed by ${outcome.by}` : `${outcome.is.toUpperCase()}: ${outcome.why}`;
      process.stdout.write(`${guard.file}:${guard.line} ${guard.name}: ${said}, ${seconds} s\n`);
    }
  };
  await Promise.all(servers.map(work));
  return outcomes;
}

/** With every guard in place nothing may turn red, in the same order and beside another run: else a kill proves nothing. */
async function checkControl(servers: readonly TestServer[], reach: readonly Reach[]): Promise<void> {
  const controls = servers.map((server, lane) =>
    tryWithout(undefined, { server: serverUrl(server), database: `mutant_${lane}`, scenarios: bySize(reach) }, 0),
  );
  for (const outcome of await Promise.all(controls)) {
    if (outcome.is !== "survived") throw new Error(`red with every guard in place: ${JSON.stringify(outcome)}`);
  }
}

function serverUrl(server: TestServer): string {
  return server.url("").replace(/\/$/, "");
}

function strayEntries(all: readonly Guard[]): string[] {
  const names = new Set(all.map((guard) => guard.name));
  return Object.keys(equivalent).filter((name) => !names.has(name));
}

async function main(): Promise<number> {
  const all = findGuards();
  const stray = strayEntries(all);
  for (const name of stray) process.stdout.write(`equivalent.ts speaks of a guard that is not there: ${name}\n`);
  const guards = choose(all);
  if (values.list === true) {
    for (const guard of guards) process.stdout.write(`${guard.file}:${guard.line} ${guard.name}\n`);
    return 0;
  }
  // One for each: the journal is read below the oldest transaction of the whole server, so two would disturb each other.
  const servers = await Promise.all(Array.from({ length: AT_ONCE }, () => startServer(ARENA_SERVER)));
  try {
    const reach = await measureReach(servers[0] as TestServer);
    if (guards.length === all.length) await checkControl(servers, reach);
    const outcomes = await tryAll(guards, servers, reach);
    const killed = [...outcomes.values()].filter((outcome) => outcome.is === "killed").length;
    const same = guards.filter((guard) => equivalent[guard.name] !== undefined).length;
    process.stdout.write(`${guards.length} guards, ${killed} killed, ${same} equivalent\n`);
    return killed + same === guards.length && stray.length === 0 ? 0 : 1;
  } finally {
    for (const server of servers) await server.stop();
  }
}

process.exitCode = await main();
