// One try to send one message. It never throws, for a message whose try is not written down would be tried for ever: what came of
// it is told, without anything that is secret.

import { type Answer, type GuardedClient, guardedClient, type Limits, type Resolve } from "../../connectors/index.ts";
import { Fault, type FaultKind } from "../../engine/index.ts";
import { safeText } from "../../kit/index.ts";
import { type ChannelType, hideTarget, type Target } from "./channel.ts";
import { discordMessageId, type Posting, requestFor } from "./requests.ts";

export interface SendPorts {
  /** The wall clock: receivers compare it with theirs. */
  wallMs(): number;
  readonly resolve?: Resolve | undefined;
  readonly limits?: Partial<Limits>;
}

export interface Sent {
  readonly ok: boolean;
  /** HTTP's, where an answer came. */
  readonly status: number | null;
  readonly kind: FaultKind | null;
  readonly code: string | null;
  /** The beginning of what the other side said, or what went wrong. */
  readonly answer: string;
  readonly retryAfterMs: number | null;
  readonly tookMs: number;
  /** What the other side calls the message, where it says so. */
  readonly remoteId: string | null;
}

const LIMITS = {
  connectMs: 5_000,
  headersMs: 10_000,
  idleMs: 5_000,
  totalMs: 15_000,
  answerBytes: 65_536,
  requestBytes: 65_536,
};
const ANSWER_BYTES = 500;

export interface Sending extends Omit<Posting, "atMs"> {
  readonly type: ChannelType;
  readonly name: string;
  readonly target: Target;
}

export async function send(sending: Sending, ports: SendPorts): Promise<Sent> {
  const { type, name, target } = sending;
  const begun = ports.wallMs();
  const hidden = (text: string) => safeText(hideTarget(text, target), ANSWER_BYTES);
  const done = (rest: Partial<Sent>): Sent => ({ ...NOTHING, ...rest, tookMs: Math.max(0, ports.wallMs() - begun) });
  const { resolve } = ports;
  try {
    const client = guardedClient({
      service: `channel ${name}`,
      egress: "lan",
      limits: { ...LIMITS, ...ports.limits },
      ...(resolve === undefined ? {} : { resolve }),
    });
    const answer = await exchange(client, sending, begun);
    const body = answer.body.toString("utf8");
    const told = { status: answer.status, answer: hidden(body) };
    if (answer.status >= 200 && answer.status < 300)
      return done({ ...told, ok: true, remoteId: type === "discord" ? discordMessageId(body) : null });
    const { kind, code, retryAfterMs = null } = client.faultOf(answer, "the message");
    return done({ ...told, kind, code, retryAfterMs });
  } catch (error) {
    const answer = hidden(error instanceof Error ? error.message : String(error));
    // No fault of the other side: a target that cannot be used, or a bug of ours. Neither gets better by trying for a day.
    if (!(error instanceof Fault)) return done({ kind: "permanent", code: "NOT_SENT", answer });
    return done({ kind: error.kind, code: error.code, answer, retryAfterMs: error.retryAfterMs ?? null });
  }
}

const NOTHING: Sent = {
  ok: false,
  status: null,
  kind: null,
  code: null,
  answer: "",
  retryAfterMs: null,
  tookMs: 0,
  remoteId: null,
};

/** Where the message to be edited is gone, somebody has deleted it: how it ended is told anew, its counts are not. */
async function exchange(client: GuardedClient, sending: Sending, atMs: number): Promise<Answer> {
  const { type, target, message, id, remoteId } = sending;
  const ask = (remote: string | null) => client.send(requestFor(type, target, { message, id, atMs, remoteId: remote }));
  const answer = await ask(remoteId);
  return remoteId !== null && answer.status === 404 && message.kind === "resolved" ? await ask(null) : answer;
}
