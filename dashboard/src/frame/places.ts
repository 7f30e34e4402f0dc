// Where one can go, in the order in which one is likely to want to. Pure.

import type { Me, Overview } from "../../../src/server/contract/wire.ts";

export type Place =
  | "/"
  | "/media"
  | "/documents"
  | "/work"
  | "/services"
  | "/activity"
  | "/pipelines"
  | "/workers"
  | "/settings"
  | "/sandbox";

export interface Places {
  /** Under the thumb on a phone: four, and the way to the others. */
  readonly main: readonly Place[];
  readonly more: readonly Place[];
}

const MAIN: readonly Place[] = ["/", "/work", "/services", "/activity"];
const MORE: readonly Place[] = ["/pipelines", "/workers", "/settings"];
const THUMBS = 4;

type Had = Pick<Overview, "hasSandbox" | "apps">;

/** The pipeline of the documents application, in which each document is an item. */
export const DOCUMENTS = "documents";
const OF_DOCUMENTS: ReadonlySet<string> = new Set([DOCUMENTS, "documents-upkeep"]);
const OF_MEDIA: ReadonlySet<string> = new Set(["media", "media-series"]);
export const isOfMedia = (pipeline: string): boolean => OF_MEDIA.has(pipeline);

/** Whether this server was started with it. */
export const hasMedia = (had: Had | undefined): boolean => had?.apps.includes("media") === true;

export const hasDocuments = (had: Had | undefined): boolean => had?.apps.includes("documents") === true;

/** Applications are what members come for; an admin first wants to see whether all is well. */
export function placesOf(had: Had | undefined, role: Me["role"] | undefined): Places {
  const more: readonly Place[] = had?.hasSandbox === true ? [...MORE, "/sandbox"] : MORE;
  const apps: readonly Place[] = [
    ...(hasMedia(had) ? ["/media" as const] : []),
    ...(hasDocuments(had) ? ["/documents" as const] : []),
  ];
  const [first, ...rest] = MAIN;
  const all = role === "admin" ? [first ?? "/", ...apps, ...rest] : [...apps, ...MAIN];
  return { main: all.slice(0, THUMBS), more: [...all.slice(THUMBS), ...more] };
}

/** Handed its work on pages of its own, or by itself. */
export const isOfApp = (pipeline: string, had: Had | undefined): boolean =>
  (hasMedia(had) && isOfMedia(pipeline)) || (hasDocuments(had) && OF_DOCUMENTS.has(pipeline));
