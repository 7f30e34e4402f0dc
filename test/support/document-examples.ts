// An example of every route of documents: mia's, and as she asks.

import type { ExampleWorld } from "./example-world.ts";
import type { Example, Made } from "./examples.ts";
import { smallPdf, uploadForm } from "./pretend-documents.ts";

const params = (item: string): Example => ({ as: "mia", params: { item } });

const converted: Made = async (world) => params(await world.document());
const failed: Made = async (world) => params(await world.document({ status: 422 }));

export const DOCUMENT_READS: { readonly [route: string]: Made } = {
  "GET /api/v1/documents": async (world) => {
    await world.document();
    return { as: "viewer" };
  },
  "GET /api/v1/documents/about": { as: "viewer" },
  "GET /api/v1/documents/archive": async (world) => ({ as: "mia", query: `ids=${await world.document()}` }),
  "GET /api/v1/documents/{item}": converted,
  "GET /api/v1/documents/{item}/events": converted,
  "GET /api/v1/documents/{item}/download": converted,
  "GET /api/v1/documents/{item}/preview": converted,
};

export const DOCUMENT_CHANGES: { readonly [route: string]: Made } = {
  "POST /api/v1/documents": async () => ({ as: "mia", body: aForm(), status: 201 }),
  "POST /api/v1/documents/{item}/retry": failed,
  "DELETE /api/v1/documents/{item}": converted,
};

const aForm = () => uploadForm([{ name: "letter.pdf", content: smallPdf() }]);

/** Uploads one as mia, and lets happen what can; answers with its id. */
export async function uploadExample({ does, t }: Pick<ExampleWorld, "does" | "t">): Promise<string> {
  const { files } = await does("/documents", aForm(), { as: "mia" });
  await t.drain();
  return files[0].document.id as string;
}
