// One guard is missing in this process (see plant.ts): which scenario notices? Prints one line of JSON.

import { Arena } from "../interleavings/arena.ts";
import { explore } from "../interleavings/explore.ts";
import { scenarios } from "../interleavings/scenarios/index.ts";
import { MARK } from "./guards.ts";

export interface Order {
  readonly server: string;
  readonly database: string;
  /** Which scenarios to ask, in this order. */
  readonly scenarios: readonly string[];
}

export interface Verdict {
  /** What noticed. */
  readonly by?: string;
  readonly how?: string;
  /** The planted text was sent to the server. */
  readonly isReached: boolean;
  /** The planted text is no SQL: the finder is wrong, not the guard missed. */
  readonly isNonsense?: boolean;
}

const SYNTAX_ERROR = "42601";

async function judge(order: Order): Promise<Verdict> {
  let isReached = false;
  const server = { url: (database = "postgres") => `${order.server}/${database}` };
  let arena: Arena;
  try {
    arena = await Arena.open(server, order.database);
  } catch (error) {
    return { by: "migration", how: firstLine(error), isReached: true, isNonsense: isSyntax(error) };
  }
  arena.onStatement = ({ text }) => {
    isReached ||= text.includes(MARK);
  };
  try {
    for (const name of order.scenarios) {
      const scenario = scenarios.find((one) => one.name === name);
      if (scenario === undefined) throw new Error(`no scenario is called ${name}`);
      try {
        await explore(arena, scenario);
      } catch (error) {
        return { by: name, how: firstLine(error), isReached, isNonsense: isSyntax(error) };
      }
    }
    return { isReached };
  } finally {
    await arena.close();
  }
}

function isSyntax(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && cause.code === SYNTAX_ERROR) return true;
    if (cause.message.includes("syntax error at")) return true;
  }
  return false;
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n")[0]?.slice(0, 300) ?? "";
}

const order = JSON.parse(process.env.SLUICE_ORDER ?? "{}") as Order;
const verdict = await judge(order);
process.stdout.write(`${JSON.stringify(verdict)}\n`);
process.exit(0);
