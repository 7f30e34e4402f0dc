// Documents for a server's tests: a gateway in memory, and folders that go with the test.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  type DocumentLimits,
  type DocumentsApp,
  documentsApp,
  type FetchOptions,
} from "../../src/apps/documents/index.ts";
import { type FakeGateway, fakeGateway } from "../../src/connectors/index.ts";
import type { Tables } from "../../src/engine/index.ts";
import type { Clock } from "../../src/kit/index.ts";

export interface PretendDocuments {
  readonly gateway: FakeGateway;
  readonly folder: string;
  app(tables: () => Promise<Tables>): DocumentsApp;
  /** Its folders go. */
  close(): void;
}

/** How much is free on it; as the system says, unless it is said. */
export type Disk = Pick<Parameters<typeof documentsApp>[0], "freeIn">;

export function pretendDocuments(
  limits: Partial<DocumentLimits> = {},
  clock?: Clock,
  fetching: FetchOptions = {},
  disk: Disk = {},
): PretendDocuments {
  const folder = mkdtempSync(path.join(tmpdir(), "sluice-documents-"));
  const gateway = fakeGateway({ service: "gateway" });
  const places = { uploads: path.join(folder, "uploads"), results: path.join(folder, "results") };
  return {
    gateway,
    folder,
    app: (tables) =>
      documentsApp({
        ...{ ...disk, tables, places, fetching, gateway: { once: gateway.client } },
        limits: { uploadsPerMinute: 0, uploadsAtOnce: 0, freeBytes: 0, ...limits },
        ...(clock === undefined ? {} : { clock }),
      }),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

let made = 0;

/** As much of a PDF as anybody looks at here; no two alike unless they are called alike. */
export function smallPdf(word?: string): Buffer {
  made += 1;
  return Buffer.from(`%PDF-1.4\n% ${word ?? made}\n%%EOF\n`);
}

export interface FormFile {
  readonly name: string;
  readonly content: Buffer;
}

/** As a browser sends it. */
export function uploadForm(files: readonly FormFile[], mapping?: string): FormData {
  const form = new FormData();
  if (mapping !== undefined) form.set("mapping", mapping);
  for (const { name, content } of files) form.append("file", new Blob([new Uint8Array(content)]), name);
  return form;
}
