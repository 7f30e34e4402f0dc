// A message as each type of channel wants it on the wire. Pure.

import type { GuardedRequest } from "../../connectors/index.ts";
import { safeText } from "../../kit/index.ts";
import type { ChannelType, Target } from "./channel.ts";
import { headline, type Message, plainText } from "./message.ts";
import { signed } from "./standard-webhook.ts";

export interface Posting {
  readonly message: Message;
  /** The same however often it is sent. */
  readonly id: string;
  readonly atMs: number;
  /** What the channel called the message that this one is about, where it can be edited. */
  readonly remoteId: string | null;
}

export function requestFor(type: ChannelType, target: Target, posting: Posting): GuardedRequest {
  switch (type) {
    case "webhook":
      return webhookRequest(target, posting);
    case "ntfy":
      return ntfyRequest(target, posting);
    case "discord":
      return discordRequest(target, posting);
  }
}

function webhookRequest({ url, secret = "" }: Target, { message, id, atMs }: Posting): GuardedRequest {
  const { kind, ...data } = message;
  const timestamp = new Date(atMs).toISOString();
  const body = JSON.stringify({ type: `alert.${kind}`, timestamp, data: { ...data, headline: headline(message) } });
  const headers = { "content-type": "application/json", ...signed(secret, id, atMs, body) };
  return { method: "POST", url, headers, body };
}

const NTFY_MESSAGE_BYTES = 4_000;
const NTFY_TITLE_BYTES = 250;
const NTFY_LOOK: { readonly [Kind in Message["kind"]]: { readonly priority: string; readonly tags: string } } = {
  opened: { priority: "4", tags: "warning" },
  reminder: { priority: "3", tags: "warning" },
  updated: { priority: "2", tags: "warning" },
  resolved: { priority: "3", tags: "white_check_mark" },
  test: { priority: "3", tags: "wave" },
};

function ntfyRequest({ url, token }: Target, { message }: Posting): GuardedRequest {
  const { priority, tags } = NTFY_LOOK[message.kind];
  const headers = {
    "content-type": "text/plain; charset=utf-8",
    // With "x-": the Priority of HTTP (RFC 9218) is something else, and some proxies set it.
    "x-title": headerText(safeText(headline(message), NTFY_TITLE_BYTES)),
    "x-priority": priority,
    "x-tags": tags,
    ...(message.url === null ? {} : { "x-click": message.url }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  // An empty body would be shown as "triggered".
  const body = safeText(plainText(message), NTFY_MESSAGE_BYTES) || headline(message);
  return { method: "POST", url, headers, body };
}

/** Headers carry plain characters only; ntfy reads others as mail does (RFC 2047). */
function headerText(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  return /^[\x20-\x7e]*$/.test(line) ? line : `=?UTF-8?B?${Buffer.from(line).toString("base64")}?=`;
}

const RED = 0xd83c3e;
const AMBER = 0xe0a030;
const GREEN = 0x3ba55d;
const COLOURS: { readonly [Kind in Message["kind"]]: number } = {
  opened: RED,
  reminder: AMBER,
  updated: RED,
  resolved: GREEN,
  test: GREEN,
};

/** A message that is already there is edited: its count, and that it is over. */
function discordRequest({ url }: Target, { message, remoteId }: Posting): GuardedRequest {
  const embed = {
    title: safeText(headline(message), 250),
    description: safeText(plainText(message), 4_000),
    color: COLOURS[message.kind],
    timestamp: message.resolvedAt ?? message.since,
    ...(message.url === null ? {} : { url: message.url }),
  };
  // Nobody is called by what an item or a service is named.
  const json = { embeds: [embed], allowed_mentions: { parse: [] } };
  if (remoteId !== null && isEdit(message.kind))
    return { method: "PATCH", url: discordAddress(url, `/messages/${remoteId}`), json };
  return { method: "POST", url: discordAddress(url, "", { wait: "true" }), json };
}

export function isEdit(kind: Message["kind"]): boolean {
  return kind === "updated" || kind === "resolved";
}

/** The address as it was given, thread and all, with a path behind it. */
function discordAddress(text: string, path: string, query: Readonly<Record<string, string>> = {}): string {
  const url = new URL(text);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}${path}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/** What Discord calls the message it has made; null for an answer of anything else. */
export function discordMessageId(body: string): string | null {
  try {
    const answer: unknown = JSON.parse(body);
    const id = typeof answer === "object" && answer !== null && "id" in answer ? answer.id : undefined;
    return typeof id === "string" && /^\d{1,25}$/.test(id) ? id : null;
  } catch {
    // Some other program that takes Discord's messages: then there is nothing to edit.
    return null;
  }
}
