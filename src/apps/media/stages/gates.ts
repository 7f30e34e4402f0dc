// What has to be true of a download before the next stage may have it.

import { notWhole } from "../../../connectors/index.ts";
import { back, Fault, type Gate, transient } from "../../../engine/index.ts";
import { type Found, giveBack } from "../found.ts";
import type { MediaPorts } from "../ports.ts";
import type { WantedItem } from "../wanted.ts";
import type { Downloaded } from "./own-file.ts";

type DownloadGate = Gate<WantedItem, { search: Found } & Record<string, unknown>>;

// The engine hands a gate what its own stage has come to, under the stage's name.
const downloadOf = (out: Readonly<Record<string, unknown>>): Downloaded => out.download as Downloaded;

export function downloadGates({ fileBytes, probe }: MediaPorts): readonly DownloadGate[] {
  const sourceExists: DownloadGate = async ({ out }) => {
    const { path } = downloadOf(out);
    if ((await fileBytes(path)) === null)
      throw transient("FILE_NOT_FOUND", `the download is complete, and there is no file ${path} here: is it mounted?`);
  };
  const downloadComplete: DownloadGate = async ({ out }) => {
    const { path, bytes } = downloadOf(out);
    const here = await fileBytes(path);
    if (here !== bytes) throw transient("FILE_INCOMPLETE", `${path} has ${here} bytes, and the torrent says ${bytes}`);
  };
  const wholeVideo: DownloadGate = async ({ out, signal }) => {
    const wrong = await probe.facts(downloadOf(out).path, signal).then(notWhole, unreadable);
    return wrong === null ? undefined : back("search", giveBack(out.search, `it is no whole film: ${wrong}`));
  };
  return [sourceExists, downloadComplete, wholeVideo];
}

/** What cannot be read as a film is no fault of the item's: another one may be. */
export function unreadable(error: unknown): string {
  if (error instanceof Fault && error.kind === "permanent") return error.message;
  throw error;
}
