// Files on their way: what becomes of each, from when it was chosen until somebody said what came of it. Pure.

import type { Problem, Uploaded } from "../../../../src/server/contract/wire.ts";
import { words } from "../../text/words.ts";

const texts = words.documents.uploads;

export type Phase = "waiting" | "sending" | "checking" | "taken" | "deduped" | "refused" | "failed" | "stopped";

export interface Upload {
  readonly key: number;
  readonly name: string;
  readonly mapping: string;
  /** A file of this browser, or where the server is to fetch it. */
  readonly file: File | null;
  readonly phase: Phase;
  /** From 0 to 1. */
  readonly sent: number;
  readonly sentence: string | null;
  readonly advice: string | null;
  readonly document: string | null;
}

/** What was dropped: a browser hands out folders as if they were files. */
export type Given = { readonly file: File; readonly isFolder: boolean } | { readonly file: null; readonly url: string };

export interface UploadLimits {
  readonly fileBytes: number;
  readonly files: number;
}

export function begin(given: Given, key: number, mapping: string, { fileBytes }: UploadLimits): Upload {
  const { file } = given;
  const common = { key, mapping, file, sent: 0, document: null };
  const waiting = { ...common, phase: "waiting", sentence: null, advice: null } as const;
  if (file === null) return { ...waiting, name: given.url };
  const refused = { ...common, name: file.name, phase: "refused" } as const;
  if (given.isFolder) return { ...refused, sentence: texts.folder, advice: texts.folderAdvice };
  if (file.size > fileBytes)
    return { ...refused, sentence: texts.tooLarge(file.size, fileBytes), advice: texts.advices.TOO_LARGE };
  return { ...waiting, name: file.name };
}

/** So much is worth losing when a line breaks; a file that is larger goes alone. */
const BATCH_BYTES = 32 * 1_024 * 1_024;
/** As many addresses as are taken at once. */
export const MOST_URLS = 20;

/** What is sent together next: files, or addresses, with one mapping, in their order. */
export function nextBatch(uploads: readonly Upload[], { files }: Pick<UploadLimits, "files">): readonly Upload[] {
  const waiting = uploads.filter(({ phase }) => phase === "waiting");
  const [first] = waiting;
  if (first === undefined) return [];
  const alike = waiting.filter(
    ({ mapping, file }) => mapping === first.mapping && (file === null) === (first.file === null),
  );
  if (first.file === null) return alike.slice(0, MOST_URLS);
  let sum = 0;
  const over = alike.findIndex(({ file }, index) => {
    sum += file?.size ?? 0;
    return index > 0 && sum > BATCH_BYTES;
  });
  return alike.slice(0, Math.max(1, Math.min(files, over === -1 ? alike.length : over)));
}

const keysOf = (batch: readonly Upload[]): ReadonlySet<number> => new Set(batch.map(({ key }) => key));

/** They are sent one after the other: what has gone out belongs to the first ones. */
export function progressed(uploads: readonly Upload[], batch: readonly Upload[], share: number): readonly Upload[] {
  const sum = batch.reduce((all, { file }) => all + (file?.size ?? 0), 0);
  const isAll = share >= 1;
  let left = share * sum;
  const shares = new Map(
    batch.map(({ key, file }) => {
      const size = file?.size ?? 0;
      const part = isAll || size === 0 ? share : Math.min(1, Math.max(0, left / size));
      left -= size;
      return [key, part];
    }),
  );
  return uploads.map((one) => {
    const sent = shares.get(one.key);
    return sent === undefined ? one : { ...one, sent, phase: isAll ? "checking" : "sending" };
  });
}

/** How a document stood when it came is soon no longer so; the list tells it as it is. */
function said(outcome: Uploaded["files"][number]["outcome"], sentence: string): Pick<Upload, "sentence"> {
  return { sentence: { taken: null, deduped: texts.deduped, refused: sentence }[outcome] };
}

/** One for each, in their order. */
export function answered(uploads: readonly Upload[], batch: readonly Upload[], { files }: Uploaded): readonly Upload[] {
  const told = new Map(batch.map(({ key }, index) => [key, files[index]]));
  return uploads.map((one) => {
    if (!told.has(one.key)) return one;
    const came = told.get(one.key);
    if (came === undefined) return { ...one, phase: "failed", sentence: texts.nothing };
    const { outcome: phase, sentence, advice, document, deduped_from } = came;
    return { ...one, phase, sent: 1, ...said(phase, sentence), advice, document: document?.id ?? deduped_from };
  });
}

/** Where none could be taken the server refuses them as a whole, and says of each why. */
export const isOfFiles = ({ field }: Partial<Problem>): boolean => field === "file";

export function refusedAll(
  uploads: readonly Upload[],
  batch: readonly Upload[],
  { code = "", detail = "", fields = [] }: Partial<Problem>,
): readonly Upload[] {
  const why = new Map(batch.map(({ key }, index) => [key, fields[index]?.message ?? detail]));
  // One code stands for all of them: what is to be done about it is only sure of one alone.
  const advices: { readonly [code: string]: string } = batch.length === 1 ? texts.advices : {};
  return uploads.map((one) => {
    const sentence = why.get(one.key);
    return sentence === undefined ? one : { ...one, phase: "refused", sentence, advice: advices[code] ?? null };
  });
}

/** All of a batch, for one reason. */
export function ended(
  uploads: readonly Upload[],
  batch: readonly Upload[],
  how: { readonly phase: "waiting" | "failed" | "stopped"; readonly sentence: string | null },
): readonly Upload[] {
  const keys = keysOf(batch);
  return uploads.map((one) => (keys.has(one.key) ? { ...one, ...how, sent: 0 } : one));
}

const OPEN: ReadonlySet<Phase> = new Set(["waiting", "sending", "checking"]);
const AGAIN: ReadonlySet<Phase> = new Set(["failed", "stopped"]);
export const isOpen = ({ phase }: Upload): boolean => OPEN.has(phase);
export const canAgain = ({ phase }: Upload): boolean => AGAIN.has(phase);

const TOLD = ["taken", "deduped", "refused", "failed", "stopped", "sending", "checking", "waiting"] as const;

/** How many came to what: "3 uploaded, 1 refused". */
export function tally(uploads: readonly Upload[]): string {
  return TOLD.map((phase) => [phase, uploads.filter((one) => one.phase === phase).length] as const)
    .filter(([, many]) => many > 0)
    .map(([phase, many]) => texts.tally(many, texts.phases[phase]))
    .join(", ");
}

/** Addresses as they were typed, or what is wrong with them. */
export function readUrls(text: string): { readonly urls: readonly string[] } | { readonly wrong: string } {
  const { none, many, odd } = words.documents.byUrl;
  const urls = text
    .split(/\s+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (urls.length === 0) return { wrong: none };
  if (urls.length > MOST_URLS) return { wrong: many(MOST_URLS) };
  const bad = urls.find((url) => !/^https?:\/\//i.test(url) || !URL.canParse(url));
  return bad === undefined ? { urls } : { wrong: odd(bad) };
}
