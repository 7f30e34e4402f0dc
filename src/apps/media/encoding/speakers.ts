// Two ways to speak to the board: to the desk in this process, and over HTTP.

import { z } from "zod";
import { type GuardedClientOptions, guardedClient } from "../../../connectors/index.ts";
import type { Tables } from "../../../engine/index.ts";
import { boardWord, type JobName, type Speaker } from "./conversation.ts";
import type { EncoderDesk } from "./desk.ts";

export function deskSpeaker(desk: EncoderDesk, tables: () => Promise<Tables>, name: string): Speaker {
  return {
    say: async (word) => desk.hear(await tables(), name, "local", word),
    read: async (job, from, length) => desk.read(await tables(), name, job, from, length),
    arrived: async (job) => desk.arrived(await tables(), name, job),
    send: async (job, at, bytes) => desk.send(await tables(), name, job, at, bytes),
    sent: async (job, { bytes, sha256 }) => desk.sent(await tables(), name, job, bytes, sha256),
  };
}

export interface HttpSpeakerOptions extends Pick<GuardedClientOptions, "clock"> {
  /** Of the server, as people type it. */
  readonly server: string;
  /** A key with the right to encode. */
  readonly token: string;
  readonly name: string;
  readonly limits?: GuardedClientOptions["limits"];
}

const bytesAnswer = z.object({ bytes: z.number() });
const doneAnswer = z.object({ ok: z.literal(true) });
const PIECE_LIMIT = 20 * 1024 * 1024;

export function httpSpeaker({ server, token, name, limits, clock }: HttpSpeakerOptions): Speaker {
  const http = guardedClient({
    ...{
      service: "server",
      egress: "lan",
      redirects: "none",
      baseUrl: server,
      ...(clock === undefined ? {} : { clock }),
    },
    headers: { authorization: `Bearer ${token}` },
    limits: { totalMs: 60_000, answerBytes: PIECE_LIMIT, requestBytes: PIECE_LIMIT, ...limits },
  });
  const own = `api/v1/media/encoders/${encodeURIComponent(name)}`;
  const of = ({ key, turn }: JobName, what: "source" | "film") =>
    `${own}/jobs/${encodeURIComponent(key)}/${turn}/${what}`;
  return {
    say: (word, signal) => http.json({ method: "POST", url: `${own}/say`, json: word, signal }, boardWord),
    async read(job, from, length, signal) {
      const headers = { range: `bytes=${from}-${from + length - 1}` };
      return (await http.ok({ url: of(job, "source"), headers, signal })).body;
    },
    arrived: async (job, signal) => (await http.json({ url: of(job, "film"), signal }, bytesAnswer)).bytes,
    async send(job, at, body, signal) {
      const headers = { "content-type": "application/octet-stream", "upload-offset": String(at) };
      return (await http.json({ method: "PATCH", url: of(job, "film"), headers, body, signal }, bytesAnswer)).bytes;
    },
    async sent(job, whole, signal) {
      await http.json({ method: "POST", url: of(job, "film"), json: whole, signal }, doneAnswer);
    },
  };
}
