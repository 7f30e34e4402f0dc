// What an indexer answers instead of what it was asked for → a fault. Its own errors are XML, on any status and often on 200:
//
//   100–199 refused key, suspended account            unavailable AUTH         breaker: open
//   429, "limit reached", 500 and 501 on a 200        unavailable until then   none
//   410, 910 switched off there                       unavailable              open
//   404 without an answer of its own                  unavailable              open: the address is wrong
//   300, and 404 or 410 for a download                permanent, it is gone    success
//   200–299 a parameter it does not take              permanent                success
//   a web page, broken XML, anything else             transient                failure

import { type Fault, permanent, transient, unavailable } from "../../engine/index.ts";
import { type Answer, retryAfterMs, statusFault } from "../kit/index.ts";
import { cleanText } from "./read-caps.ts";
import { attribute, type Parsed } from "./xml.ts";

export interface Asked {
  readonly service: string;
  /** As it is called in messages. */
  readonly what: string;
  readonly isDownload: boolean;
  /** Takes our key out of what they say. */
  readonly wipe: (text: string) => string;
  readonly nowMs: number;
}

/** Limits are counted by the hour or the day; a minute is what a 429 would say. */
const UNSTATED_LIMIT_MS = 3_600_000;
const SAID_LENGTH = 200;

/** The code of a fault after which it is worth asking anew what an indexer knows. */
export const REFUSED_QUERY = "INDEXER_REFUSED";

/** For any answer that is not the one asked for. */
export function answerFault(answer: Answer, parsed: Parsed, asked: Asked): Fault {
  const { service, what } = asked;
  if ("root" in parsed && parsed.root === "error") {
    const code = Number(attribute(parsed.element, "code"));
    const said = cleanText(asked.wipe(attribute(parsed.element, "description") ?? ""), SAID_LENGTH);
    return errorFault(Number.isInteger(code) ? code : 900, said, answer, asked);
  }
  const gone = goneFault(answer.status, answer.status, "", asked);
  if (gone !== undefined) return gone;
  if (answer.status >= 400) return statusFault({ ...asked, status: answer.status, headers: answer.headers });
  const problem = "problem" in parsed ? parsed.problem : "other XML than was asked for";
  return transient("BAD_ANSWER", `${service} answered ${what} with ${problem}`, { service });
}

function errorFault(code: number, said: string, answer: Answer, asked: Asked): Fault {
  const { service, what, nowMs } = asked;
  const { status, headers } = answer;
  const text = `${service} answered ${what} with error ${code}${said === "" ? "" : `: ${said}`}`;
  if (code >= 100 && code <= 199) return unavailable("AUTH", text, { service });
  if (isLimit(code, said, status)) {
    const stated = retryAfterMs(headers, nowMs);
    return unavailable("RATE_LIMITED", text, { service, retryAfter: stated ?? UNSTATED_LIMIT_MS });
  }
  const gone = goneFault(status, code, text, asked);
  if (gone !== undefined) return gone;
  if (status === 401 || status === 403 || status >= 500)
    return statusFault({ service, what, status, headers, nowMs, said });
  if (code >= 200 && code <= 299) return permanent(REFUSED_QUERY, text, { service });
  return transient("INDEXER_ERROR", text, { service });
}

/** 500 and 501 are Newznab's numbers for its limits, and at the same time what others call a crash; those send them as a status too. */
function isLimit(code: number, said: string, status: number): boolean {
  if (status === 429 || code === 429) return true;
  if ((code === 500 || code === 501) && status < 500) return true;
  return /limit (was |has been )?(reached|exceeded)|too many requests/i.test(said);
}

function goneFault(status: number, code: number, text: string, asked: Asked): Fault | undefined {
  const { service, what, isDownload } = asked;
  const isGone = code === 300 || status === 404 || status === 410;
  if (isDownload && isGone)
    return permanent("RELEASE_GONE", text || `${service} has ${what} no more (${status})`, { service });
  const hold = { service, breaker: "open" } as const;
  if (status === 410 || code === 410 || code === 910)
    return unavailable("SWITCHED_OFF", text || `${service} is switched off at its own server (${status})`, hold);
  if (status === 404)
    return unavailable("WRONG_ADDRESS", text || `${service} has nothing at ${what}: is its address right?`, hold);
  return undefined;
}
