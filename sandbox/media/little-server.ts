// A small service on a loopback port that can be broken on demand. Down is a closed port, not a polite answer.

import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { isOwnHost } from "../service/answering.ts";
import { LoopbackHttp } from "../service/loopback-http.ts";

export interface Said {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export type ServerTrouble =
  /** Takes the question, and never answers. */
  | "silent"
  /** A page where data was asked for, as a login or a guard before the service sends it. */
  | "web-page"
  /** An answer that does not end before fifty megabytes. */
  | "huge"
  /** The answer, without its last part. */
  | "by-half"
  /** The answer's beginning, with the length of all of it, and then the end of the line. */
  | "cut-off"
  /** A length that is less than what comes. */
  | "too-short-a-length"
  /** It has done what was asked, and the line breaks. */
  | "reset"
  /** It answers, late. */
  | { readonly slowMs: number }
  | Said;

const REMEMBERED = 10_000;
const HUGE_BYTES = 50 * 1024 * 1024;
const PIECE = Buffer.alloc(65_536, "<item>");

export abstract class LittleServer {
  /** The addresses of the last questions, without the key's value. */
  readonly requests: string[] = [];
  /** For the next questions, one each. */
  readonly troubles: ServerTrouble[] = [];
  /** For every question, as long as it stands here. */
  standing: ServerTrouble | undefined;
  readonly #http = new LoopbackHttp((request, response) => this.#handle(request, response));

  protected abstract answer(url: URL, request: IncomingMessage, body: Buffer): Said | Promise<Said>;

  get origin(): string {
    return this.#http.origin;
  }

  /** Without a port: any free one, and the same again after an outage. */
  async up(port?: number): Promise<void> {
    await this.#http.up(port);
  }

  async down(): Promise<void> {
    await this.#http.down();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isOwnHost(request.headers.host)) return void response.writeHead(421).end("this is another machine");
    const url = new URL(request.url ?? "/", this.origin);
    this.requests.push(`${request.url}`.replaceAll(/(?<=key=)[^&]*/g, "…"));
    if (this.requests.length > REMEMBERED) this.requests.shift();
    const trouble = this.troubles.shift() ?? this.standing;
    if (trouble === "silent") return;
    if (trouble === "huge") return pour(response);
    // All of it, whatever is answered: a line that is closed with something unread on it is reset, and the answer may be lost.
    const body = await buffer(request);
    if (trouble === "web-page") return send(response, PAGE);
    if (typeof trouble === "object" && "status" in trouble) return send(response, trouble);
    if (typeof trouble === "object") await sleep(trouble.slowMs);
    const said = await this.answer(url, request, body);
    if (trouble === "reset") return void request.socket.resetAndDestroy();
    if (trouble === "by-half" || trouble === "cut-off" || trouble === "too-short-a-length")
      return sendBadly(response, said, trouble);
    send(response, said);
  }
}

function sendBadly(response: ServerResponse, said: Said, trouble: "by-half" | "cut-off" | "too-short-a-length"): void {
  const whole = Buffer.from(said.body ?? "");
  const half = whole.subarray(0, Math.floor(whole.length / 2));
  const length = (bytes: number) => ({ ...said.headers, "content-length": String(bytes) });
  if (trouble === "by-half") send(response, { ...said, body: half });
  else if (trouble === "too-short-a-length") send(response, { ...said, headers: length(half.length), body: whole });
  else response.writeHead(said.status, length(whole.length)).write(half, () => response.destroy());
}

const PAGE: Said = {
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: "<!DOCTYPE html>\n<html><head><title>Just a moment...</title></head><body><p>Are you human?<br></body></html>",
};

function send(response: ServerResponse, { status, headers, body }: Said): void {
  response.writeHead(status, headers).end(body);
}

function pour(response: ServerResponse): void {
  let sent = 0;
  response.writeHead(200, { "content-type": "application/octet-stream" });
  const more = () => {
    if (response.destroyed) return;
    sent += PIECE.length;
    if (sent >= HUGE_BYTES) response.end(PIECE);
    else response.write(PIECE, more);
  };
  more();
}
