// Two ways to speak to the board: to the desk in this process, and over HTTP.

import { z } from "zod";
import { type GuardedClient, type GuardedClientOptions, guardedClient, readJson } from "../../../connectors/index.ts";
import { permanent, SluiceError, type Tables, unavailable } from "../../../engine/index.ts";
import { boardWord, type JobName, type Speaker } from "./conversation.ts";
import type { EncoderDesk } from "./desk.ts";

export function deskSpeaker(desk: EncoderDesk, tables: () => Promise<Tables>, name: string): Speaker {
  const me = { name, place: "local", key: null } as const;
  return {
    say: async (word) => desk.hear(await tables(), me, word),
    wait: async (jobs, signal) => desk.wait(await tables(), me, jobs, signal),
    read: async (job, from, length) => desk.read(await tables(), me, job, from, length),
    hash: async (job, from, length) => desk.hash(await tables(), me, job, from, length),
    arrived: async (job) => desk.arrived(await tables(), me, job),
    send: async (job, at, bytes) => desk.send(await tables(), me, job, at, bytes),
    sent: async (job, { bytes, sha256 }) => desk.sent(await tables(), me, job, bytes, sha256),
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

const newsAnswer = z.object({ isNews: z.boolean() });
const hashAnswer = z.object({ sha256: z.string() });
const bytesAnswer = z.object({ bytes: z.number() });
const doneAnswer = z.object({ ok: z.literal(true) });
const PIECE_LIMIT = 20 * 1024 * 1024;
/** All of a film is read before that is answered. */
const HASHING_MS = 900_000;

export function httpSpeaker({ server, token, name, limits, clock }: HttpSpeakerOptions): Speaker {
  const client = (change: GuardedClientOptions["limits"]) =>
    guardedClient({
      ...{ service: SERVER, egress: "lan", redirects: "none", baseUrl: server, ...(clock && { clock }) },
      headers: { authorization: `Bearer ${token}` },
      limits: { totalMs: 180_000, answerBytes: PIECE_LIMIT, requestBytes: PIECE_LIMIT, ...change, ...limits },
    });
  const http = telling(client({}));
  const patient = telling(client({ totalMs: HASHING_MS, headersMs: HASHING_MS }));
  const own = `api/v1/media/encoders/${encodeURIComponent(name)}`;
  const of = ({ key, turn }: JobName, what: "source" | "source/hash" | "film") =>
    `${own}/jobs/${encodeURIComponent(key)}/${turn}/${what}`;
  const range = (from: number, length: number) => ({ range: `bytes=${from}-${from + length - 1}` });
  return {
    say: (word, signal) => http.json({ method: "POST", url: `${own}/say`, json: word, signal }, boardWord),
    async wait(jobs, signal) {
      const json = { jobs: jobs.map(({ key, turn }) => ({ key, turn })) };
      return (await http.json({ method: "POST", url: `${own}/wait`, json, signal }, newsAnswer)).isNews;
    },
    async read(job, from, length, signal) {
      return (await http.ok({ url: of(job, "source"), headers: range(from, length), signal })).body;
    },
    async hash(job, from, length, signal) {
      const headers = range(from, length);
      return (await patient.json({ url: of(job, "source/hash"), headers, signal }, hashAnswer)).sha256;
    },
    arrived: async (job, signal) => (await http.json({ url: of(job, "film"), signal }, bytesAnswer)).bytes,
    async send(job, at, body, signal) {
      const headers = { "content-type": "application/octet-stream", "upload-offset": String(at) };
      return (await http.json({ method: "PATCH", url: of(job, "film"), headers, body, signal }, bytesAnswer)).bytes;
    },
    async sent(job, whole, signal) {
      await patient.json({ method: "POST", url: of(job, "film"), json: whole, signal }, doneAnswer);
    },
  };
}

/** As faults name it. */
export const SERVER = "server";

const problem = z.object({ code: z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/), detail: z.string().max(2_000) });

/** What the server refuses, in its own words: whoever reads them has to know what to do. */
function telling(http: GuardedClient): Pick<GuardedClient, "ok" | "json"> {
  const ok: GuardedClient["ok"] = async (request) => {
    const answer = await http.send(request);
    if (answer.status < 400) return answer;
    // Nobody's fault, and no reason to keep a film here: another may find room there later.
    if (answer.status === 507) throw unavailable("DISK_FULL", "the server's disk is full", { service: "board" });
    const told = answer.status === 409 || answer.status === 413 ? problemIn(answer.body) : undefined;
    if (told === undefined) throw http.faultOf(answer, `${request.method ?? "GET"} ${request.url}`);
    throw answer.status === 409
      ? new SluiceError(told.code, told.detail)
      : permanent("OUTPUT_TOO_LARGE", told.detail, { service: SERVER });
  };
  return { ok, json: async (request, check) => readJson(await ok(request), check, SERVER) };
}

function problemIn(body: Buffer): z.output<typeof problem> | undefined {
  try {
    return problem.safeParse(JSON.parse(body.toString("utf8"))).data;
  } catch {
    // Not ours: a proxy's page.
    return undefined;
  }
}
