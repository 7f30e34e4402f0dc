// A channel: where messages go, and what has to be known to send them there. All of that is secret, the address too, for a
// Discord address is as good as a password. Pure.

import { egressRefusal } from "../../connectors/index.ts";
import { InputError } from "../../engine/index.ts";
import { newSigningSecret, signingKey } from "./standard-webhook.ts";

export const CHANNEL_TYPES = ["webhook", "ntfy", "discord"] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/** What is sealed. */
export interface Target {
  readonly url: string;
  /** Of a webhook: what it is signed with. */
  readonly secret?: string;
  /** Of ntfy: where a topic is protected. */
  readonly token?: string;
}

export interface GivenTarget {
  readonly url?: string | undefined;
  readonly secret?: string | undefined;
  readonly token?: string | undefined;
}

const URL_MOST = 2_000;

/** A whole target, from what was given over what was known. What is typed here is an operator's word: "lan" judges it. */
export function checkTarget(type: ChannelType, given: GivenTarget, known?: Target): Target {
  const url = given.url ?? known?.url;
  if (url === undefined) throw new InputError("url", "url is missing: the address that messages are sent to");
  checkUrl(url);
  if (given.token !== undefined && type !== "ntfy") throw new InputError("token", "only ntfy channels have a token");
  if (given.secret !== undefined && type !== "webhook")
    throw new InputError("secret", "only webhook channels are signed with a secret");
  switch (type) {
    case "webhook": {
      // Stays at another address: it signs what is sent, and is never sent itself.
      const secret = given.secret ?? known?.secret ?? newSigningSecret();
      signingKey(secret);
      return { url, secret };
    }
    case "ntfy": {
      if (new URL(url).pathname.split("/").filter((part) => part !== "").length === 0)
        throw new InputError("url", "url has to end with the topic, as in https://ntfy.example.org/sluice-alerts");
      const token = given.token ?? tokenFor(url, known);
      if (token === undefined || token === "") return { url };
      if (!/^[\x21-\x7e]{1,500}$/.test(token)) throw new InputError("token", "token is one word of plain characters");
      return { url, token };
    }
    case "discord":
      return { url };
  }
}

/** The token is sent: one that was meant for another server has to be given again, by somebody who knows it. */
function tokenFor(url: string, known: Target | undefined): string | undefined {
  if (known?.token === undefined || new URL(url).origin === new URL(known.url).origin) return known?.token;
  throw new InputError("token", "the token was for another server; give one for this one, or an empty one for none");
}

function checkUrl(text: string): void {
  const wrong = (why: string) => new InputError("url", `url ${why}`);
  const url = URL.parse(text);
  if (text.length > URL_MOST) throw wrong(`has more than ${URL_MOST} characters`);
  if (url === null || !["http:", "https:"].includes(url.protocol))
    throw wrong("must be an address such as https://example.org/hooks/sluice");
  if (url.username !== "" || url.password !== "") throw wrong("must not hold a name or a password");
  // A name is judged by what it resolves to, whenever it is connected to; an address is refused where it is typed.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const refusal = /^[\d.]+$|:/.test(host) ? egressRefusal("lan", host) : undefined;
  if (refusal !== undefined) throw wrong(`leads to ${host}, which ${refusal}; nothing is sent there`);
}

/** What may be shown of an address. */
export function shownHost(url: string): string {
  return new URL(url).host;
}

const HIDDEN = "***";
const SECRET_LENGTH = 6;

/** A text of others, without what is secret here: they may have sent it back to us. */
export function hideTarget(text: string, { url, secret, token }: Target): string {
  // It also stands where an address that cannot be read is reported.
  const { pathname, search, searchParams } = URL.parse(url) ?? new URL("http://unreadable/");
  const parts = pathname.split("/").filter((part) => part.length >= 2 * SECRET_LENGTH);
  const values = [...searchParams.values()].filter((value) => value.length >= SECRET_LENGTH);
  const path = pathname === "/" ? [] : [`${pathname}${search}`, pathname];
  const words = [url, ...path, secret, token, ...parts, ...values].filter(
    (word): word is string => word !== undefined && word !== "",
  );
  return words.reduce((left, word) => left.replaceAll(word, HIDDEN).replaceAll(decoded(word), HIDDEN), text);
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    // A lone percent sign: then nobody has decoded it either.
    return word;
  }
}
