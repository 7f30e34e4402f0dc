// The uploads of whoever is signed in. They go on while other pages are looked at, and end with the window or the person.

import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import type { Uploaded } from "../../../../src/server/contract/wire.ts";
import { ask } from "../../api/ask.ts";
import { documentPaths } from "../../api/documents.ts";
import { queries } from "../../api/queries.ts";
import { type Sending, sendFiles } from "../../api/send-files.ts";
import { serverNow } from "../../api/server-clock.ts";
import { Uploader } from "./uploader.ts";
import { isOpen, type Upload } from "./uploads.ts";

let own: { readonly user: string; readonly uploader: Uploader } | undefined;

export function useUploader(): { readonly uploader: Uploader } & ReturnType<Uploader["uploads"]> {
  const client = useQueryClient();
  const { data: me } = useQuery(queries.me());
  const uploader = uploaderOf(me?.user ?? "", client);
  return { uploader, ...useSyncExternalStore(uploader.watch, uploader.uploads) };
}

function uploaderOf(user: string, client: QueryClient): Uploader {
  if (own?.user === user) return own.uploader;
  own?.uploader.stop();
  const uploader = new Uploader({
    send,
    sleep,
    now: serverNow,
    onAnswer: () => void client.invalidateQueries({ queryKey: ["documents"] }),
  });
  own = { user, uploader };
  uploader.watch(() => warnBeforeLeaving(uploader.uploads().all.some(isOpen)));
  return uploader;
}

/** Twenty files may have to come from slow places. */
const FETCH_MS = 10 * 60_000;

function send(batch: readonly Upload[], { onSent, signal }: Sending): Promise<Uploaded> {
  const mapping = batch[0]?.mapping ?? "";
  const files = batch.flatMap(({ file }) => (file === null ? [] : [file]));
  if (files.length > 0) return sendFiles(files, mapping, { onSent, signal });
  onSent(1);
  const body = { urls: batch.map(({ name }) => name), ...(mapping === "" ? {} : { mapping }) };
  return ask<Uploaded>(documentPaths.all, { method: "POST", body, signal, limitMs: FETCH_MS });
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    resolve();
  });
  return promise;
}

const keepOpen = (event: BeforeUnloadEvent) => event.preventDefault();

/** What is not sent yet is gone with the window. */
function warnBeforeLeaving(isBusy: boolean): void {
  if (isBusy) addEventListener("beforeunload", keepOpen);
  else removeEventListener("beforeunload", keepOpen);
}
