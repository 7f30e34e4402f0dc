// The process that downloads: the client, and behind a token on this machine what can be asked of it.

import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import path from "node:path";
import { Fault } from "../../engine/index.ts";
import {
  type Clock,
  InputError,
  type Logger,
  type Random,
  safeText,
  silentLogger,
  systemClock,
  systemRandom,
} from "../../kit/index.ts";
import {
  forgetAddress,
  isBearer,
  type ProcessIdentity,
  readOrMakeToken,
  takeLock,
  tokenFileIn,
  writeAddress,
} from "../kit/index.ts";
import { BitTorrentClient, STATE_FOLDER } from "./bittorrent/client.ts";
import { diskWords } from "./bittorrent/content.ts";
import { type ClientOptions, checkedOptions } from "./bittorrent/options.ts";
import { TorrentRefused } from "./bittorrent/paths.ts";
import { isDiskFull } from "./bittorrent/storage.ts";
import { AddBody, isInfohash } from "./embedded-api.ts";
import { checkTag } from "./tags.ts";

export interface TorrentServerOptions extends Partial<ClientOptions> {
  readonly folder: string;
  /** Where it is asked; 0 takes any that is free. Always on this machine alone. */
  readonly port: number;
  /** Which process this is, so that a second one on the same folder is told. */
  readonly self: ProcessIdentity;
  readonly version: string;
  readonly log?: Logger;
  readonly clock?: Clock;
  readonly random?: Random;
}

export interface TorrentServer {
  readonly url: string;
  readonly peerPort: number;
  /** Who knows what is in it may ask. */
  readonly tokenFile: string;
  readonly token: string;
  stop(): Promise<void>;
}

const MOST_BODY_BYTES = 16 * 1024 * 1024;

export async function serveTorrents(options: TorrentServerOptions): Promise<TorrentServer> {
  const { port, self, version, log = silentLogger, clock = systemClock, random = systemRandom, ...rest } = options;
  const all = checkedOptions(rest);
  await mkdir(all.folder, { recursive: true });
  const peerId = Buffer.concat([Buffer.from("-SL0100-"), randomBytes(12)]);
  const client = new BitTorrentClient(all, { clock, random, log, version, peerId });
  const notes = path.join(all.folder, STATE_FOLDER);
  await mkdir(notes, { recursive: true, mode: 0o700 });
  await takeLock(notes, self, `keeps the torrents of ${all.folder}`);
  const tokenFile = tokenFileIn(notes);
  const token = await readOrMakeToken(tokenFile);
  await client.start();
  const server = createServer((request, response) => void answer(client, token, request, response, log));
  try {
    await listen(server, port);
  } catch (error) {
    await client.stop();
    throw error;
  }
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
  await writeAddress(notes, url, self);
  return {
    url,
    peerPort: client.peerPort,
    tokenFile,
    token,
    async stop() {
      await forgetAddress(notes);
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await client.stop();
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
}

class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

async function answer(
  client: BitTorrentClient,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
  log: Logger,
): Promise<void> {
  try {
    if (!isBearer(request.headers.authorization, token)) throw new Refused(401, "the token is missing or wrong");
    const said = await route(client, request);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(said));
  } catch (error) {
    const { status, words } = refusalOf(error);
    if (status === 500) log.error("torrents.request-failed", { error: safeText(error, 1_000) });
    response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(words);
  }
}

function refusalOf(error: unknown): { readonly status: number; readonly words: string } {
  if (error instanceof Refused) return { status: error.status, words: error.message };
  if (error instanceof TorrentRefused) return { status: 422, words: `${error.code}: ${error.message}` };
  if (error instanceof Fault && error.kind === "permanent")
    return { status: 422, words: `${error.code}: ${error.message}` };
  if (error instanceof InputError) return { status: 400, words: error.message };
  if (isDiskFull(error)) return { status: 507, words: "the disk is full" };
  return { status: 500, words: diskWords(error) };
}

async function route(client: BitTorrentClient, request: IncomingMessage): Promise<unknown> {
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  const [first, infohash = "", what, tag = ""] = url.pathname.split("/").slice(1).map(decodeURIComponent);
  const asked = `${request.method} ${first}${infohash === "" ? "" : "/*"}${what === undefined ? "" : `/${what}`}`;
  if (infohash !== "" && !isInfohash(infohash)) throw new Refused(400, "infohash must be 40 hex digits in lower case");
  const isWithFiles = url.searchParams.get("withFiles") === "true";
  switch (asked) {
    case "GET about":
      return await client.about();
    case "GET torrents":
      return { torrents: client.look(url.searchParams.get("all") === "true") };
    case "POST torrents":
      return await add(client, await readBody(request));
    case "GET torrents/*/files":
      return { files: client.files(infohash) ?? notFound(infohash) };
    case "POST torrents/*/nudge":
      await client.nudge(infohash);
      return {};
    case "POST torrents/*/pause":
      await client.pause(infohash);
      return {};
    case "DELETE torrents/*":
      await client.remove(infohash, isWithFiles);
      return {};
    case "DELETE torrents/*/tags":
      checkTag(tag);
      await client.release(infohash, tag, isWithFiles);
      return {};
    default:
      throw new Refused(404, "there is nothing of that name here");
  }
}

function notFound(infohash: string): never {
  throw new Refused(404, `there is no torrent ${infohash}`);
}

async function add(client: BitTorrentClient, body: unknown): Promise<{ readonly wasThere: boolean }> {
  const read = AddBody.safeParse(body);
  if (!read.success)
    throw new Refused(
      400,
      read.error.issues
        .map(({ message }) => message)
        .join("; ")
        .slice(0, 500),
    );
  const { magnet, file, ...rest } = read.data;
  if ((magnet === undefined) === (file === undefined)) throw new Refused(400, "either magnet or file is needed");
  if (rest.tag !== null) checkTag(rest.tag);
  const source = file === undefined ? { magnet: magnet ?? "" } : { file: Buffer.from(file, "base64") };
  return await client.add({ ...rest, source });
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BODY_BYTES) throw new Refused(413, `more than ${MOST_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch (error) {
    throw new Refused(400, `the body is no JSON: ${safeText(error, 100)}`);
  }
}
