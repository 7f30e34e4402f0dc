// Files on their way to the server. By XMLHttpRequest: it is the one that tells how much has been sent.

import type { Uploaded } from "../../../src/server/contract/wire.ts";
import { words } from "../text/words.ts";
import { Refusal, toProblem } from "./ask.ts";
import { documentPaths } from "./documents.ts";

export interface Sending {
  /** From 0 to 1, of all of them. */
  readonly onSent: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Without a byte sent, and then without an answer, for so long nobody is there any more. */
const SILENCE_MS = 120_000;

export function sendFiles(files: readonly File[], mapping: string, { onSent, signal }: Sending): Promise<Uploaded> {
  const form = new FormData();
  // In front of the files, which are looked at as they come.
  if (mapping !== "") form.append("mapping", mapping);
  for (const file of files) form.append("file", file, file.name);
  const { promise, resolve, reject } = Promise.withResolvers<Uploaded>();
  const request = new XMLHttpRequest();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => request.abort();
  const hear = () => {
    clearTimeout(timer);
    timer = setTimeout(stop, SILENCE_MS);
  };
  request.upload.onprogress = ({ loaded, total }) => {
    hear();
    onSent(total === 0 ? 1 : loaded / total);
  };
  request.onload = () => {
    try {
      resolve(answerOf(request));
    } catch (error) {
      reject(error);
    }
  };
  request.onerror = () => reject(new Refusal(0, { detail: words.documents.uploads.cut }));
  request.onabort = () => reject(signal.aborted ? signal.reason : new Refusal(0, { detail: words.errors.noAnswer }));
  request.onloadend = () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  };
  if (signal.aborted) return Promise.reject(signal.reason);
  signal.addEventListener("abort", stop);
  request.open("POST", documentPaths.all);
  request.setRequestHeader("accept", "application/json");
  hear();
  request.send(form);
  return promise;
}

function answerOf({ status, responseText }: XMLHttpRequest): Uploaded {
  const answer = parsed(responseText);
  if (status < 200 || status >= 300 || answer === undefined) throw new Refusal(status, toProblem(answer, status));
  // Held against its schema by the server's own contract tests.
  return answer as Uploaded;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
