// Sources and films of encoders that do not see our disk: in pieces, each of which can be asked for again.

import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { MediaApp } from "../../../apps/media/index.ts";
import { Fault, InputError, type Sluice } from "../../../engine/index.ts";
import { answers, jsonBody } from "../../contract/common.ts";
import { done } from "../../contract/done.ts";
import { arrivedBytes, encoderJobParam, filmOffset, filmWhole, sourceHash } from "../../contract/media/encoder-word.ts";
import { doUnlessDry } from "../../http/dry-run.ts";
import type { Env } from "../../http/env.ts";
import { TellingError } from "../../http/problem.ts";
import type { Routes } from "../../http/routes.ts";
import { callerOf } from "./encoder-caller.ts";

const PATH = "/api/v1/media/encoders/{name}/jobs/{key}/{turn}";
const tags = ["media encoders"];
const BYTES = { "application/octet-stream": { schema: z.string().openapi({ format: "binary" }) } };

export const FILM_PIECE_BYTES = 16 * 1024 * 1024;
const IS_FILM = /^\/api\/v1\/media\/encoders\/[^/]+\/jobs\/[^/]+\/\d+\/film$/;
/** The one body that is larger than others may be. */
export const isFilmPiece = (method: string, path: string): boolean => method === "PATCH" && IS_FILM.test(path);

export function addEncoderFileRoutes(routes: Routes, sluice: Sluice, media: MediaApp): void {
  addSource(routes, sluice, media);
  addFilm(routes, sluice, media);
}

function addSource(routes: Routes, { tables }: Sluice, { desk }: MediaApp): void {
  routes.add(
    "encode",
    createRoute({
      method: "get",
      path: `${PATH}/source`,
      tags,
      summary: "A piece of what is to be encoded; Range says which, 8 MB at most",
      request: { params: encoderJobParam },
      responses: { 206: { description: "The piece", content: BYTES }, default: answers("", z.object({})).default },
    }),
    async (c) => {
      const { name, ...job } = c.req.valid("param");
      const { from, length } = rangeOf(c);
      const piece = await telling(() => desk.read(tables, callerOf(c, name), job, from, length));
      c.header("content-type", "application/octet-stream");
      c.header("content-range", `bytes ${from}-${from + piece.byteLength - 1}/*`);
      return c.body(new Uint8Array(piece), 206) as never; // bytes, which the contract does not tell of
    },
  );
  routes.add(
    "encode",
    createRoute({
      method: "get",
      path: `${PATH}/source/hash`,
      tags,
      summary: "The SHA-256 of a stretch of what is to be encoded; Range says which, 512 MB at most",
      description: "What was fetched is compared by it, and so is what was fetched before a break.",
      request: { params: encoderJobParam },
      responses: answers("The hash", sourceHash),
    }),
    async (c) => {
      const { name, ...job } = c.req.valid("param");
      const { from, length } = rangeOf(c);
      return c.json({ sha256: await telling(() => desk.hash(tables, callerOf(c, name), job, from, length)) }, 200);
    },
  );
}

function addFilm(routes: Routes, { tables }: Sluice, { desk }: MediaApp): void {
  routes.add(
    "encode",
    createRoute({
      method: "get",
      path: `${PATH}/film`,
      tags,
      summary: "How much of the encoded film has arrived",
      request: { params: encoderJobParam },
      responses: answers("So much", arrivedBytes),
    }),
    async (c) => {
      const { name, ...job } = c.req.valid("param");
      return c.json({ bytes: await telling(() => desk.arrived(tables, callerOf(c, name), job)) }, 200);
    },
  );
  routes.add(
    "encode",
    createRoute({
      method: "patch",
      path: `${PATH}/film`,
      tags,
      summary: "A piece of the encoded film, to be put behind what has arrived; 16 MB at most",
      description: "One that does not fit there changes nothing; the answer says where to go on.",
      request: {
        params: encoderJobParam,
        headers: filmOffset,
        body: {
          required: true,
          content: { "application/octet-stream": { schema: z.any().openapi({ format: "binary" }) } },
        },
      },
      responses: answers("How much has arrived now", arrivedBytes),
    }),
    async (c) => {
      const { name, ...job } = c.req.valid("param");
      const at = Number(c.req.valid("header")["upload-offset"]);
      c.set("deed", null);
      const piece = new Uint8Array(await c.req.arrayBuffer());
      const caller = callerOf(c, name);
      const act = () =>
        c.get("isDry") ? desk.arrived(tables, caller, job) : desk.send(tables, caller, job, at, piece);
      return c.json({ bytes: await telling(act) }, 200);
    },
  );
  routes.add(
    "encode",
    createRoute({
      method: "post",
      path: `${PATH}/film`,
      tags,
      summary: "All of the film was sent: it is compared, and gets its name",
      request: { params: encoderJobParam, ...jsonBody(filmWhole) },
      responses: answers("It is there", done),
    }),
    async (c) => {
      const { name, ...job } = c.req.valid("param");
      const { bytes, sha256 } = c.req.valid("json");
      c.set("deed", null);
      const caller = callerOf(c, name);
      await telling(() => desk.arrived(tables, caller, job));
      const take = () => telling(() => desk.sent(tables, caller, job, bytes, sha256));
      return c.json(await doUnlessDry(c, "Would compare the film and give it its name.", take), 200);
    },
  );
}

/** "bytes=0-4194303" */
function rangeOf(c: Context<Env>): { readonly from: number; readonly length: number } {
  const [, from, to] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(c.req.header("range") ?? "") ?? [];
  const length = Number(to) - Number(from) + 1;
  if (from === undefined || !(length > 0))
    throw new InputError("range", "range: as in bytes=0-4194303; a whole film is more than anybody asks for at once");
  return { from: Number(from), length };
}

const CODES: Readonly<Record<string, string>> = { OUTPUT_TOO_LARGE: "TOO_LARGE", DISK_FULL: "IO_ERROR" };

/** What is wrong with our own disk passes, or somebody mends it; a film that is too large stays so. */
async function telling<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new TellingError(CODES[error.code] ?? "SERVICE_AWAY", `${error.code}: ${error.message}`, {});
  }
}
