// One client for every command: it asks the public contract, over HTTP or in this very process, and turns problems into sentences.

import { randomUUID } from "node:crypto";
import { type Clock, systemClock } from "../../kit/index.ts";
import type { Problem } from "../../server/contract/wire.ts";
import { CommandError, EXIT, type ExitCode } from "../exit.ts";
import { asObject, problemOf, readAnswer } from "./answer.ts";

export interface Asked {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whoever asks does not want to know any more. */
  readonly signal?: AbortSignal;
}

export interface Client {
  /** On the database at hand, not on a server. */
  readonly isLocal: boolean;
  /** Where the answers come from, for people. */
  readonly where: string;
  /** The parsed answer. A problem is thrown, with the code the command ends with. */
  ask<Answer>(path: string, asked?: Asked): Promise<Answer>;
  /** An answer that goes on. */
  follow(path: string, asked: Asked & { readonly signal: AbortSignal }): Promise<Response>;
  close(): Promise<void>;
}

export interface Transport {
  readonly isLocal: boolean;
  readonly where: string;
  readonly base: string;
  send(request: Request): Promise<Response>;
  close(): Promise<void>;
}

const ANSWER_MS = 30_000;
/** Whoever asks for more than a server takes at once is told when to come back, and does, so often and within so long. */
const REPEATS = 5;
const REPEAT_MS = 60_000;

export function makeClient(transport: Transport, clock: Pick<Clock, "sleep"> = systemClock): Client {
  const { isLocal, where, base, send, close } = transport;
  const request = (path: string, { method = "GET", query = {}, body, headers = {} }: Asked, signal: AbortSignal) => {
    const url = new URL(path, base);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const type: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
    return new Request(url, {
      method,
      ...content,
      headers: { accept: "application/json", ...type, ...headers },
      signal,
      redirect: "error",
    });
  };
  return {
    isLocal,
    where,
    close,
    async ask<Answer>(path: string, asked: Asked = {}) {
      const { signal, method = "GET" } = asked;
      // With a key the same one again is not done again.
      const key: Record<string, string> = method === "POST" ? { "idempotency-key": randomUUID() } : {};
      const keyed = { ...asked, headers: { ...key, ...asked.headers } };
      const once = () => {
        const timeout = AbortSignal.timeout(ANSWER_MS);
        return send(request(path, keyed, signal === undefined ? timeout : AbortSignal.any([timeout, signal])));
      };
      let answer = await once();
      for (let repeats = 0; repeats < REPEATS && signal?.aborted !== true; repeats += 1) {
        const waitMs = comeBack(answer);
        if (waitMs === undefined) break;
        await answer.body?.cancel();
        await clock.sleep(waitMs, signal);
        answer = await once();
      }
      const text = await readAnswer(answer, where);
      if (!answer.ok) throw refusal(answer.status, problemOf(text), where);
      return asObject(text, where) as Answer; // the contract's own shape, which the server checks before it answers
    },
    async follow(path, asked) {
      const answer = await send(request(path, asked, asked.signal));
      if (!answer.ok) throw refusal(answer.status, problemOf(await readAnswer(answer, where)), where);
      return answer;
    },
  };
}

/** Only where it was not begun: that is what the two mean, with a time to come back. */
function comeBack({ status, headers }: Response): number | undefined {
  const ms = Number(headers.get("retry-after") ?? Number.NaN) * 1_000;
  return (status === 429 || status === 503) && ms >= 0 && ms <= REPEAT_MS ? ms : undefined;
}

export function refusal(status: number, told: Partial<Problem>, where: string): CommandError {
  const { detail, instead = [], actions = [], requestId } = told;
  const exit = exitOf(status);
  const what = detail ?? `${where} answered with ${status}`;
  const possible = actions.length === 0 ? undefined : `possible now: ${actions.join(", ")}`;
  const meant = instead.length === 0 ? undefined : `try ${instead.slice(0, 5).join(", ")}`;
  const next = meant ?? possible ?? NEXT[exit] ?? `the server's log has more under ${requestId ?? "this time"}`;
  return new CommandError(exit, what, next);
}

const NEXT: { readonly [exit: number]: string } = {
  [EXIT.usage]: "sluice <command> --help tells what it takes",
  [EXIT.notFound]: "sluice ls and sluice status show what there is",
  [EXIT.notAllowed]: "set SLUICE_API_KEY to a key that may; an admin makes one with: sluice key create",
  [EXIT.refused]: "sluice why <id> tells how it stands",
  [EXIT.unreachable]: "try again in a moment; sluice doctor looks at the database",
};

function exitOf(status: number): ExitCode {
  if (status === 400 || status === 413 || status === 422) return EXIT.usage;
  if (status === 401 || status === 403 || status === 421) return EXIT.notAllowed;
  if (status === 404) return EXIT.notFound;
  if (status === 409 || status === 410 || status === 412) return EXIT.refused;
  if (status === 429 || status === 502 || status === 503 || status === 504) return EXIT.unreachable;
  return EXIT.failed;
}
