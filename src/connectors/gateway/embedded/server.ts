// The embedded gateway: behind a token on this machine, a form with a PDF is answered with its XML.
//
//   GET  health     {name, version, mappings, reader, network, notInForce}
//   POST process    file, mapping → XML; x-pages says how many there are
//
// What is refused says so in JSON, {error: {code, message}}: 4xx where the file is to blame, 503 with Retry-After where there are enough
// in hand, 504 where the clock ran out, 507 where the disk is full. Nothing of what is sent can end this process: it reads no PDF.

import { createReadStream } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { type Clock, type Logger, safeText, silentLogger, systemClock } from "../../../kit/index.ts";
import {
  forgetAddress,
  isBearer,
  type ProcessIdentity,
  readOrMakeToken,
  takeLock,
  tokenFileIn,
  writeAddress,
} from "../../kit/index.ts";
import { PAGES_HEADER } from "../protocols.ts";
import { Conversions } from "./conversions.ts";
import { type ConversionResult, convertIn } from "./convert.ts";
import { MAPPINGS } from "./format.ts";
import { checkedLimits, type GatewayLimits } from "./limits.ts";
import { notesIn } from "./notes.ts";
import { findReader, type ReaderFacts } from "./reader.ts";
import { receive } from "./receive.ts";
import { refusalOf, Turned } from "./refusals.ts";
import type { Reader } from "./runner/job.ts";

export interface GatewayServerOptions extends Partial<GatewayLimits> {
  readonly folder: string;
  /** Where it listens; 127.0.0.1 unless it is said. */
  readonly host?: string;
  /** 0 takes any that is free. */
  readonly port: number;
  /** Poppler where it is there, unless it is said. */
  readonly reader?: Reader;
  /** Which process this is, so that a second one on the same folder is told. */
  readonly self: ProcessIdentity;
  readonly version: string;
  readonly log?: Logger;
  readonly clock?: Clock;
}

export interface GatewayServer {
  readonly url: string;
  readonly tokenFile: string;
  readonly token: string;
  readonly reader: Pick<ReaderFacts, "reader" | "version" | "hasNoNetwork" | "notInForce">;
  /** Lets what is in hand come to its end for a while. */
  stop(): Promise<void>;
}

/** How long conversions may go on after they were told to stop. */
const GRACE_MS = 7_000;

export async function serveGateway(options: GatewayServerOptions): Promise<GatewayServer> {
  const { folder, host = "127.0.0.1", port, self, version, log = silentLogger, clock = systemClock } = options;
  const limits = checkedLimits(limitsOf(options));
  const notes = notesIn(folder);
  const jail = path.join(notes, "jail");
  await mkdir(jail, { recursive: true, mode: 0o700 });
  const reader = await findReader(options.reader, limits, jail);
  await takeLock(notes, self, `is the gateway of ${folder}`);
  const tokenFile = tokenFileIn(notes);
  const token = await readOrMakeToken(tokenFile);
  const conversions = new Conversions(path.join(notes, "work"));
  await conversions.begin();
  const gateway = new EmbeddedGateway({ token, version, limits, reader, conversions, log });
  const server = createServer((request, response) => void gateway.answer(request, response));
  server.requestTimeout = limits.uploadMs;
  await listen(server, host, port);
  const address = server.address();
  const at = host.includes(":") ? `[${host}]` : host;
  const url = `http://${at}:${typeof address === "object" ? address?.port : 0}/`;
  await writeAddress(notes, url, self);
  return {
    ...{ url, tokenFile, token, reader },
    async stop() {
      await forgetAddress(notes);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const over = new AbortController();
      void closed.then(() => over.abort());
      await clock.sleep(GRACE_MS, over.signal);
      gateway.giveUp();
      server.closeAllConnections();
      await closed;
      await gateway.idle();
    },
  };
}

interface Facts {
  readonly token: string;
  readonly version: string;
  readonly limits: GatewayLimits;
  readonly reader: ReaderFacts;
  readonly conversions: Conversions;
  readonly log: Logger;
}

class EmbeddedGateway {
  readonly #facts: Facts;
  readonly #over = new AbortController();
  readonly #inHand = new Set<Promise<void>>();

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** Ends all conversions. */
  giveUp(): void {
    this.#over.abort(new Error("the gateway stops"));
  }

  async idle(): Promise<void> {
    await Promise.all(this.#inHand);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { token } = this.#facts;
    // A connection that breaks is told by what is being read or written.
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    try {
      if (!isBearer(request.headers.authorization, token))
        throw new Turned(401, "AUTH", "the token is missing or wrong");
      // Not by URL, which throws for what anybody may send.
      const asked = `${request.method} ${request.url?.split("?", 1)[0]}`;
      if (asked === "GET /health") return say(response, 200, this.#health());
      if (asked !== "POST /process") throw new Turned(404, "VALIDATION_ERROR", "there is nothing of that name here");
      // Before anything of it is read: what is told to come again has cost nothing.
      if (this.#over.signal.aborted || this.#inHand.size >= this.#facts.limits.atOnce)
        throw new Turned(503, "GW_BUSY", "all conversions are in use", RETRY_SECONDS);
      const work = this.#process(request, response);
      this.#inHand.add(work);
      await work.finally(() => this.#inHand.delete(work));
    } catch (error) {
      this.#refuse(error, request, response);
    }
  }

  #health() {
    const { version, reader } = this.#facts;
    const { hasNoNetwork, notInForce } = reader;
    return {
      ...{ name: "sluice-gateway", version, mappings: MAPPINGS },
      ...{ reader: `${reader.reader} ${reader.version}`, network: hasNoNetwork ? "none" : "shared" },
      notInForce,
    };
  }

  async #process(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { conversions, limits, reader } = this.#facts;
    const left = new AbortController();
    response.once("close", () => left.abort(new Error("whoever asked has left")));
    const signal = AbortSignal.any([left.signal, this.#over.signal]);
    const folder = await conversions.folder();
    const pdf = receive(request, path.join(folder, "in.pdf"), limits.mostPdfBytes);
    const { mapping, sha256 } = await pdf.catch(async (error: unknown) => {
      await conversions.drop(folder);
      throw error;
    });
    // From here on others may have joined it, and the folder goes with the last of them.
    await conversions.share(
      { id: `${sha256} ${mapping}`, folder, signal },
      (at, stop) => convertIn(at, mapping, { reader, limits, signal: stop }),
      (result) => send(response, result),
    );
  }

  #refuse(error: unknown, request: IncomingMessage, response: ServerResponse): void {
    if (response.headersSent || response.destroyed) return void response.destroy();
    const { status, code, message, retrySeconds } = refusalOf(error);
    if (status >= 500 && status !== 503)
      this.#facts.log.error("gateway.conversion-failed", { code, error: safeText(error, 1_000) });
    const wait = retrySeconds === undefined ? {} : { "retry-after": String(retrySeconds) };
    const body = Buffer.from(JSON.stringify({ error: { code, message } }));
    const head = { "content-type": "application/json", "content-length": String(body.length), connection: "close" };
    response.writeHead(status, { ...head, ...wait }).write(body);
    if (request.complete) return void response.end();
    // All is said. What is still on its way is taken in for a while: a line that is cut while it is written to loses the answer.
    const over = () => void response.end();
    request.once("end", over).once("close", over).resume();
    setTimeout(over, LINGER_MS).unref();
  }
}

const RETRY_SECONDS = 3;
const LINGER_MS = 5_000;

function say(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** With its length, so that half of it is seen to be half. */
async function send(response: ServerResponse, { file, pages }: ConversionResult): Promise<void> {
  const { size } = await stat(file);
  const type = { "content-type": "application/xml; charset=utf-8", "content-length": String(size) };
  response.writeHead(200, { ...type, [PAGES_HEADER]: String(pages) });
  await pipeline(createReadStream(file), response);
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
}

function limitsOf(options: GatewayServerOptions): Partial<GatewayLimits> {
  const { folder, host, port, reader, self, version, log, clock, ...limits } = options;
  return limits;
}
