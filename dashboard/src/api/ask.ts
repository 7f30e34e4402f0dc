// The one way to the server: the public API, with a time limit, and every refusal as a `Refusal` that says what would work.

import type { Problem } from "../../../src/server/contract/wire.ts";
import { words } from "../text/words.ts";
import { hear } from "./server-clock.ts";

const LONGEST_MS = 20_000;

export class Refusal extends Error {
  readonly problem: Partial<Problem>;
  /** 0 where nobody answered. */
  readonly status: number;

  constructor(status: number, problem: Partial<Problem>) {
    super(problem.detail ?? words.errors.noAnswer);
    this.status = status;
    this.problem = problem;
  }
}

export interface Asked {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** The same deed sent again, by an impatient finger or over a bad line, is done once. */
  readonly key?: string;
  /** For what takes its time over there. */
  readonly limitMs?: number;
}

const NO_CONTENT = 204;

export async function ask<Answer>(
  path: string,
  { method = "GET", body, signal, key, limitMs = LONGEST_MS }: Asked = {},
): Promise<Answer> {
  const limit = AbortSignal.timeout(limitMs);
  const asked = Date.now();
  const response = await fetch(path, {
    method,
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    headers: {
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new Refusal(0, { detail: words.errors.noAnswer });
  });
  hear({ date: response.headers.get("date"), asked, heard: Date.now() });
  const answer: unknown = await response.json().catch(() => undefined);
  const isOdd = answer === undefined && response.status !== NO_CONTENT;
  if (!response.ok || isOdd) throw new Refusal(response.status, toProblem(answer, response.status));
  // Held against its schema by the server's own contract tests.
  return answer as Answer;
}

/** What an answer says of what went wrong, whoever gave it. */
export function toProblem(answer: unknown, status: number): Partial<Problem> {
  if (typeof answer === "object" && answer !== null && "detail" in answer) return answer as Problem;
  return { detail: words.errors.odd(status) };
}

/** Whose place in an address is text of somebody's. */
export const enc = encodeURIComponent;
