// The same request again, with the same Idempotency-Key, is done once and answered alike for a day. It never does a thing twice:
// where a server died over one, nobody knows whether it was done, and whoever asks again is told so. Whoever does it has it for a
// term, and says so again while it lasts; so a server that is gone is known to be gone when the term is over.

import type { Context, MiddlewareHandler, Next } from "hono";
import { InputError, type Logger, type Queryable, SluiceError, type Tables } from "../../engine/index.ts";
import { type Clock, safeText } from "../../kit/index.ts";
import type { Env, UnderKey } from "../http/env.ts";
import { isExpected, TellingError } from "../http/problem.ts";
import type { RoutePolicy } from "../http/routes.ts";
import { fingerprintOf } from "./fingerprint.ts";
import {
  type Answer,
  type Asked,
  beginKey,
  clearKeys,
  endKey,
  findKey,
  freeKey,
  type KeyRow,
  stayAtKey,
} from "./idempotency.sql.ts";
import { unknownOutcome } from "./unknown-outcome.ts";

export interface IdempotencyPorts {
  readonly tables: Tables;
  readonly clock: Pick<Clock, "sleep">;
  readonly log: Logger;
}

/** Who asks while it is being done waits so long for its answer. */
const LOOKS = 10;
const LOOK_MS = 100;
/** Who has not said for so long that it is still at it is gone. Most are done before they have to say anything. */
const TERM_MS = 5_000;
const STAY_MS = 1_500;
const KEPT_MS = 24 * 3_600_000;
const KEY = /^[\x21-\x7e]{1,255}$/;
/** Sessions, keys and the secrets of channels are shown once, and not kept here. */
const TOKEN = /\b(sl[a-z]|whsec)_[A-Za-z0-9_+/-]{16,}/;
const BODY_MOST = 256 * 1024;

/** For routes that change something, behind the check of who asks. */
export const honourKeys =
  (ports: IdempotencyPorts) =>
  (route: RoutePolicy): MiddlewareHandler<Env> =>
  async (c, next) => {
    const { tables } = ports;
    const key = c.req.header("idempotency-key");
    const principal = c.get("principal");
    // What changes nothing may be done as often as anybody likes.
    if (key === undefined || principal === undefined || c.get("isDry")) return await next();
    if (!KEY.test(key))
      throw new InputError("Idempotency-Key", "Idempotency-Key: 1 to 255 characters that one can see, without blanks");
    if (route.streams === true) {
      c.set("underKey", lateKey(c, ports, route, { account: principal.user, key }));
      return await next();
    }
    const { pathname, search } = new URL(c.req.url);
    const request = { method: c.req.method, path: `${pathname}${search}`, body: await c.req.text() };
    const fingerprint = await fingerprintOf({ ...request, salt: `${principal.user}/${key}` });
    const asked = { account: principal.user, key, fingerprint };
    if (pathname === TOGETHER) return await askTogether(c, ports, { route, asked }, next);
    // First: whoever has begun a key has nothing in the way of the work.
    await clearKeys(tables);
    if (!(await beginKey(tables, asked, TERM_MS))) return await answerAgain(c, ports, { route, asked });
    const over = new AbortController();
    const staying = stay(ports, asked, over.signal);
    try {
      await next();
      return await keep(c, tables, asked);
    } finally {
      over.abort();
      await staying;
    }
  };

/** A body that is read as it arrives is known when it is here; from then on it is as with every other. */
function lateKey(
  c: Context<Env>,
  ports: IdempotencyPorts,
  route: RoutePolicy,
  whose: Pick<Asked, "account" | "key">,
): UnderKey {
  const { tables } = ports;
  return async (told, work) => {
    const { pathname, search } = new URL(c.req.url);
    const path = `${pathname}${search}`;
    const salt = `${whose.account}/${whose.key}`;
    const asked = { ...whose, fingerprint: await fingerprintOf({ method: route.method, path, body: told, salt }) };
    await clearKeys(tables);
    if (!(await beginKey(tables, asked, TERM_MS))) return await answerAgain(c, ports, { route, asked });
    const over = new AbortController();
    const staying = stay(ports, asked, over.signal);
    try {
      const answer = await work();
      const { status, headers } = answer;
      await endKey(tables, asked, { status, location: headers.get("location"), body: await answer.clone().text() });
      return answer;
    } catch (error) {
      // As below: what was refused changed nothing; of all else nobody knows, and the key is left as it is.
      if (isExpected(error)) await freeKey(tables, asked);
      throw error;
    } finally {
      over.abort();
      await staying;
    }
  };
}

async function stay({ tables, clock, log }: IdempotencyPorts, asked: Asked, over: AbortSignal): Promise<void> {
  for (; !over.aborted; ) {
    await clock.sleep(STAY_MS, over);
    try {
      if (!over.aborted) await stayAtKey(tables, asked, TERM_MS);
    } catch (error) {
      // The work itself may do without the database for a while; others will be told that nobody knows.
      log.warn("idempotency.unheard", { error: safeText(error, 300) });
    }
  }
}

interface AskedOf {
  readonly route: RoutePolicy;
  readonly asked: Asked;
}

/** Submissions store their key themselves, with `keepTogether`: a server that dies has done both or neither. */
const TOGETHER = "/api/v1/requests";

async function askTogether(c: Context<Env>, ports: IdempotencyPorts, of: AskedOf, next: Next) {
  const { asked } = of;
  await clearKeys(ports.tables);
  const known = await findKey(ports.tables, asked);
  if (known !== undefined && known.age < KEPT_MS) return await answerAgain(c, ports, of);
  c.set("keyed", asked);
  await next();
  if (!(c.error instanceof KeyTaken)) return undefined;
  // The same one was faster, and is done by now.
  const answer = await answerAgain(c, ports, of);
  c.res = undefined;
  c.res = answer;
  return undefined;
}

class KeyTaken extends TellingError {
  constructor() {
    super("IN_PROGRESS", "the same request is being done right now", { retryAfter: 1 }, "Idempotency-Key");
  }
}

/** For the transaction that does what was asked. Throws, so that it is not done, where another one has done it. */
export async function keepTogether(tx: Queryable, asked: Asked, answer: Answer & { readonly body: string }) {
  if (!(await beginKey(tx, asked, TERM_MS))) throw new KeyTaken();
  await endKey(tx, asked, { ...answer, body: answer.body.length <= BODY_MOST ? answer.body : null });
}

/** What was refused changed nothing, and the key is free again; what went wrong in the middle of it may have. */
async function keep(c: Context<Env>, tables: Tables, asked: Asked): Promise<void> {
  const { status } = c.res;
  const isRefused = status >= 500 ? isExpected(c.error) : status >= 400;
  if (isRefused) return await freeKey(tables, asked);
  const body = status < 400 ? await c.res.clone().text() : null;
  const isKept = body !== null && body.length <= BODY_MOST && !TOKEN.test(body);
  await endKey(tables, asked, { status, location: c.res.headers.get("location"), body: isKept ? body : null });
}

async function answerAgain(c: Context<Env>, ports: IdempotencyPorts, { route, asked }: AskedOf): Promise<Response> {
  const row = await whenDone(ports, asked);
  if (row.fingerprint !== asked.fingerprint)
    throw new SluiceError("KEY_REUSED", "this Idempotency-Key was sent with another request; take a new one for each", {
      field: "Idempotency-Key",
    });
  const { status, location, body } = row;
  if (status === null && row.is_alive) throw new KeyTaken();
  if (status === null || status >= 500) throw unknownOutcome(route, new URL(c.req.url).pathname);
  if (body === null)
    throw new SluiceError("CONFLICT", "this was done, and its answer is shown once only", { field: "Idempotency-Key" });
  c.header("idempotency-replayed", "true");
  if (location !== null) c.header("location", location);
  return c.body(body, status as 200, { "content-type": "application/json" });
}

async function whenDone({ tables, clock }: IdempotencyPorts, asked: Asked): Promise<KeyRow> {
  let row: KeyRow | undefined;
  for (let look = 0; look < LOOKS; look += 1) {
    row = await findKey(tables, asked);
    if (row === undefined || row.status !== null || !row.is_alive || row.fingerprint !== asked.fingerprint) break;
    await clock.sleep(LOOK_MS);
  }
  // Given back meanwhile: it was refused, and so may this one be, or not any more.
  if (row === undefined)
    throw new TellingError(
      "IN_PROGRESS",
      "the same request was just refused; ask again",
      { retryAfter: 1 },
      "Idempotency-Key",
    );
  return row;
}
