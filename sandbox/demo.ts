// `npm run demo`: the sandbox with somebody looking at it, or with --once to its end.

import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { inspect } from "node:util";
import { InputError, type Logger, SluiceError } from "../src/engine/index.ts";
import { dashboardFolder } from "../src/main/dashboard-folder.ts";
import { packageVersion } from "../src/main/version.ts";
import { demoAdmin } from "./demo/credentials.ts";
import { filmsShow } from "./demo/films.ts";
import { mediaShow } from "./demo/media.ts";
import { type DemoOptions, demoOptions, HELP, USUAL_PORT } from "./demo/options.ts";
import type { Show } from "./demo/show.ts";
import { whichWorld } from "./demo/which-world.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import type { World, WorldOptions } from "./world.ts";

const PORTS_TRIED = 10;
const INTERRUPTED = 130;

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(`demo: ${error instanceof SluiceError ? error.message : inspect(error)}`);
    if (error instanceof InputError) console.error("  → npm run demo -- --help shows what there is");
    process.exit(1);
  },
);

async function main(): Promise<number> {
  const options = demoOptions(process.argv.slice(2));
  if (options.isHelp) {
    console.log(HELP);
    return 0;
  }
  const over = interruption();
  if (!options.isOnce) buildDashboard();
  const folder = options.folder === undefined ? temporaryFolder("sluice-demo") : resolve(options.folder);
  mkdirSync(folder, { recursive: true });
  try {
    return whichWorld(options.world) === "media"
      ? await run(mediaShow, options, folder, over)
      : await run(filmsShow, options, folder, over);
  } finally {
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function run<W extends World>(show: Show<W>, options: DemoOptions, folder: string, over: AbortSignal) {
  console.log(`Sluice demo: ${show.title}`);
  const admin = demoAdmin(folder);
  const started = performance.now();
  console.log(`  ${show.parts} are being started`);
  const base = { folder, admin, log: logTo(join(folder, "demo.log")), version: await packageVersion() };
  const world = await startSomewhere(show, options, {
    ...base,
    dashboard: options.isOnce ? undefined : dashboardFolder(),
  });
  try {
    console.log(`  all of it is up after ${((performance.now() - started) / 1_000).toFixed(1)} s`);
    if (!options.isOnce) {
      await show.live(world, admin, over);
      console.log("\n  ending everything");
      return 0;
    }
    const { lost, sentence } = await show.once(world, { items: options.items, folder, over });
    if (over.aborted) return INTERRUPTED;
    if (lost.length === 0) console.log(sentence);
    else console.error(`Something is lost:\n  ${lost.join("\n  ")}${lastWords(world)}`);
    return lost.length === 0 ? 0 : 1;
  } finally {
    await world.close();
  }
}

/** Where a port was named it is that one or none; else the usual one or one of the next, and without a browser any. */
async function startSomewhere<W extends World>(
  show: Show<W>,
  { port, isOnce }: DemoOptions,
  world: Omit<WorldOptions, "port">,
): Promise<W> {
  if (port !== undefined || isOnce) return await show.start({ ...world, port: port ?? 0 });
  for (let next = USUAL_PORT; next < USUAL_PORT + PORTS_TRIED; next += 1) {
    try {
      return await show.start({ ...world, port: next });
    } catch (error) {
      if (!(error instanceof SluiceError) || error.code !== "CANNOT_LISTEN") throw error;
      console.log(`  port ${next} is taken; trying the next one`);
    }
  }
  return await show.start({ ...world, port: 0 });
}

/** Only where what was built is older than what it is made of. */
function buildDashboard(): void {
  const script = join(import.meta.dirname, "../scripts/dashboard.ts");
  const { status } = spawnSync(process.execPath, [script], { stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw new SluiceError("BUILD_FAILED", "the dashboard could not be built; the lines above say why");
}

/** The second one ends it at once; what it started notices, and ends too. */
function interruption(): AbortSignal {
  const over = new AbortController();
  const stop = () => {
    if (over.signal.aborted) process.exit(INTERRUPTED);
    over.abort();
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  return over.signal;
}

function logTo(file: string): Logger {
  const write = (level: string) => (event: string, facts?: unknown) =>
    appendFileSync(
      file,
      `${new Date().toISOString()} ${level} ${event} ${inspect(facts, { breakLength: Infinity })}\n`,
      { mode: 0o600 },
    );
  return { info: () => undefined, warn: write("warn"), error: write("error") };
}

function lastWords({ things }: World): string {
  return things
    .logs()
    .filter(({ lines }) => lines.length > 0)
    .map(({ name, lines }) => `\n  what ${name} said last:\n    ${lines.slice(-10).join("\n    ")}`)
    .join("");
}
