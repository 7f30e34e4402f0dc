// Uploading: files as they arrive, or addresses that are fetched. Nothing is spoken of before all of it is on the disk.

import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  type Arrived,
  type Uploaded as Came,
  countOpen,
  type DocumentsApp,
  enterAll,
  isTurnedAway,
  someDocuments,
  toldWords,
} from "../../../apps/documents/index.ts";
import { InputError, type Sluice, SluiceError } from "../../../engine/index.ts";
import { TryLater } from "../../access/try-later.ts";
import { answers } from "../../contract/common.ts";
import { toDocument } from "../../contract/documents/to-view.ts";
import { type Uploaded, type UploadedFile, uploaded } from "../../contract/documents/upload.ts";
import type { Env } from "../../http/env.ts";
import { TellingError } from "../../http/problem.ts";
import { principalOf, type Routes } from "../../http/routes.ts";
import { ownerFor } from "../ownership.ts";
import { UPLOAD_BODY } from "./upload-body.ts";
import { receiveAll } from "./upload-read.ts";

const AGAIN_MS = 60_000;
const BUSY_MS = 5_000;

export function addUploadRoute(routes: Routes, sluice: Sluice, app: DocumentsApp): void {
  const { 200: done, default: wrong } = answers(
    "Everything was there already; or, of a dry run, what would be done",
    uploaded,
  );
  routes.add(
    "submit",
    createRoute({
      method: "post",
      path: "/api/v1/documents",
      tags: ["documents"],
      summary: "Uploads PDFs, each of which becomes a document; or fetches them from public addresses",
      description: "Some files may be refused and others taken. Where all are refused, that is what is answered.",
      // Told, and not checked by the library: it would read all of it into memory.
      ...{ requestBody: UPLOAD_BODY },
      responses: { 200: done, 201: { ...done, description: "At least one of them is taken" }, default: wrong },
    }),
    async (c) => {
      const { user: owner } = principalOf(c.get("principal"));
      const over = app.brake.enter(owner);
      if (over === undefined)
        throw new TryLater("RATE_LIMITED", `${owner} has ${app.limits.uploadsAtOnce} uploads under way`, BUSY_MS);
      try {
        return await upload(c, sluice, app, owner);
      } finally {
        over();
      }
    },
    { streams: true },
  );
}

async function upload(c: Context<Env>, sluice: Sluice, app: DocumentsApp, owner: string): Promise<never> {
  await admit(sluice, app, owner);
  const { arrived, mapping } = await receiveAll(c, sluice, app);
  refuseNothing(arrived, app);
  const by = { owner, mapping: mapping ?? app.limits.mapping, dryRun: c.get("isDry") };
  const work = async () => {
    const came = await enterAll({ sluice, pipeline: app.pipeline }, arrived, by);
    const files = await toldOf(came, { sluice, limits: app.limits }, ownerFor(c) ?? null);
    note(c, files);
    const would = by.dryRun ? wouldOf(files) : null;
    const isNew = files.some(({ outcome }) => outcome === "taken") && !by.dryRun;
    return c.json({ files, would } satisfies Uploaded, isNew ? 201 : 200);
  };
  const underKey = c.get("underKey");
  const told = JSON.stringify([mapping ?? null, arrived]);
  return (underKey === undefined ? await work() : await underKey(told, work)) as never; // what work answers, as it answers it
}

/** Before a byte of it is read. A dry run counts as well: it is read, or fetched from others, as a whole. */
async function admit(sluice: Sluice, { brake, limits, roomRefusal }: DocumentsApp, owner: string) {
  const waitMs = brake.take(owner);
  if (waitMs > 0)
    throw new TryLater("RATE_LIMITED", `${owner} may upload ${limits.uploadsPerMinute} times a minute`, waitMs);
  const refusal = await roomRefusal();
  if (refusal !== null) throw new SluiceError("IO_ERROR", refusal);
  if (limits.openMost > 0 && (await countOpen(sluice.tables, owner, limits.openMost)) >= limits.openMost)
    throw new TryLater(
      "RATE_LIMITED",
      `${owner} has ${limits.openMost} documents that are not converted yet`,
      AGAIN_MS,
    );
}

/** With nothing to take there is nothing to answer but why. */
function refuseNothing(arrived: readonly Arrived[], { limits }: DocumentsApp): void {
  const [first] = arrived;
  if (first === undefined) throw new InputError("file", "there is no file in it");
  const refused = arrived.filter(isTurnedAway);
  const [one] = refused;
  if (one === undefined || refused.length < arrived.length) return;
  const fields = refused.map((each) => ({ field: each.name, message: sentenceOf(each, limits.fileBytes) }));
  const told = refused.length > 1 ? { fields } : {};
  throw new TellingError(
    one.code,
    `${one.name}: ${sentenceOf(one, limits.fileBytes)} Nothing was stored.`,
    told,
    "file",
  );
}

interface Refused {
  readonly code: "NOT_PDF" | "TOO_LARGE" | "IO_ERROR";
  readonly why?: string | undefined;
}

/** More is known of addresses alone. */
const wordsOf = ({ code, why }: Refused) => toldWords(why === undefined ? code : "NOT_FETCHED", null);

function sentenceOf({ code, why }: Refused, most: number): string {
  const { sentence } = wordsOf({ code, why });
  if (code === "TOO_LARGE") return `${sentence} The limit is ${Math.floor(most / 1_048_576)} MB.`;
  return why === undefined ? sentence : `${sentence} ${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
}

async function toldOf(
  came: readonly Came[],
  ports: { readonly sluice: Sluice; readonly limits: DocumentsApp["limits"] },
  owner: string | null,
): Promise<UploadedFile[]> {
  const items = came.flatMap((one) => ("entered" in one ? (one.entered.item ?? []) : []));
  const documents = await someDocuments(ports, items, { owner });
  const byId = new Map(documents.map((one) => [one.id, one]));
  return came.map((one): UploadedFile => {
    if ("refused" in one) {
      const { name, code } = one.refused;
      const sentence = sentenceOf(one.refused, ports.limits.fileBytes);
      return {
        name,
        outcome: "refused",
        document: null,
        deduped_from: null,
        code,
        sentence,
        advice: wordsOf(one.refused).advice,
      };
    }
    const { entered, file } = one;
    const document = entered.item === null ? undefined : byId.get(entered.item);
    return {
      ...{ name: file.name, outcome: entered.outcome, deduped_from: entered.from, code: null, advice: null },
      document: document === undefined ? null : toDocument(document),
      sentence: document?.sentence ?? "It would be taken.",
    };
  });
}

function wouldOf(files: readonly UploadedFile[]): string {
  const count = (outcome: UploadedFile["outcome"]) => files.filter((one) => one.outcome === outcome).length;
  return `Would take ${count("taken")}, find ${count("deduped")} that are there already, and refuse ${count("refused")}.`;
}

function note(c: Context<Env>, files: readonly UploadedFile[]): void {
  const [first] = files.flatMap(({ document }) => document ?? []);
  const detail = files.map(({ name, outcome, document }) => ({ name, outcome, id: document?.id ?? null }));
  c.set("deed", { action: "document.upload", ...(first === undefined ? {} : { subject: first.id }), detail });
}
