// Uploading, seen from outside: what is taken, what is refused, what is found again, and what becomes of it.

import { readdir, readlink } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppWorld, openAppWorld, type Person } from "../support/app-world.ts";
import { type PretendDocuments, pretendDocuments, smallPdf, uploadForm } from "../support/pretend-documents.ts";

let world: AppWorld;
let pretended: PretendDocuments;
beforeAll(async () => {
  pretended = pretendDocuments({ fileBytes: 1_048_576 });
  world = await openAppWorld([], { documents: pretended });
});
afterAll(() => world.close());

const upload = (files: Parameters<typeof uploadForm>[0], as: Person = "mia", mapping?: string, headers = {}) =>
  world.ask("/api/v1/documents", { method: "POST", as, body: uploadForm(files, mapping), headers });
const get = (at: string, as: Person = "mia") => world.ask(`/api/v1/documents/${at}`, { as });

async function files(kind: "uploads" | "results"): Promise<string[]> {
  const all = await readdir(path.join(pretended.folder, kind), { recursive: true, withFileTypes: true });
  return all.filter((one) => one.isFile()).map(({ name }) => name);
}

/** Without a body there is nothing to hold against the contract. */
const head = (at: string) =>
  world.server.app.request(`/api/v1/documents/${at}`, {
    method: "HEAD",
    headers: { host: "localhost:3000", cookie: world.cookieOf("mia") },
  });

/** What this process has open among them. */
async function opened(): Promise<string[]> {
  const handles = await readdir("/proc/self/fd");
  const names = await Promise.all(handles.map((one) => readlink(`/proc/self/fd/${one}`).catch(() => "")));
  return names.filter((name) => name.startsWith(pretended.folder));
}

describe("an upload", () => {
  it("becomes a document, is converted, and can be read", async () => {
    const { status, json } = await upload([{ name: "a contract.pdf", content: smallPdf() }]);
    expect(status).toBe(201);
    const [{ document, outcome, deduped_from }] = json.files;
    expect([outcome, deduped_from]).toEqual(["taken", null]);
    expect(document).toMatchObject({ name: "a contract.pdf", status: "queued", attemptCount: 0, retryAfter: null });
    const early = await get(`${document.id}/download`);
    expect([early.status, early.json.code]).toEqual([409, "NOT_READY"]);
    await world.t.drain();
    const after = (await get(document.id)).json;
    expect(after).toMatchObject({ status: "complete", attemptCount: 1, pages: 1, error: null, canRetry: false });
    const got = await get(`${document.id}/download`);
    expect(got.headers.get("content-type")).toBe("application/xml");
    expect(got.headers.get("content-disposition")).toContain('filename="a contract.xml"');
    expect(got.text).toMatch(/^</);
    expect((await get(`${document.id}/preview`)).json).toEqual({
      text: got.text,
      bytes: got.text.length,
      isWhole: true,
    });
    const events = (await get(`${document.id}/events`)).json.entries.map(({ type }: { type: string }) => type);
    expect(events).toEqual(["queued", "processing", "complete"]);
  });

  it("can be asked about without being read, and leaves nothing open", async () => {
    const { json } = await upload([{ name: "asked.pdf", content: smallPdf() }]);
    const { id } = json.files[0].document;
    expect((await head(`${id}/download`)).status).toBe(409);
    await world.t.drain();
    for (const at of [`${id}/download`, `archive?ids=${id}`]) {
      const { status, headers } = await head(at);
      expect(status).toBe(200);
      expect(headers.get("content-disposition")).toMatch(/^attachment/);
      expect(await opened()).toEqual([]);
    }
  });

  it("takes some files and refuses others, and says which", async () => {
    const { status, json } = await upload([
      { name: "good.pdf", content: smallPdf() },
      { name: "notes.docx", content: Buffer.from("PK\u0003\u0004") },
      { name: "empty.pdf", content: Buffer.alloc(0) },
      { name: "huge.pdf", content: Buffer.concat([smallPdf(), Buffer.alloc(2_000_000)]) },
    ]);
    expect(status).toBe(201);
    const told = json.files.map((one: { outcome: string; code: string | null }) => [one.outcome, one.code]);
    expect(told).toEqual([
      ["taken", null],
      ["refused", "NOT_PDF"],
      ["refused", "NOT_PDF"],
      ["refused", "TOO_LARGE"],
    ]);
    expect(json.files[3].sentence).toMatch(/1 MB/);
  });

  it("of nothing that can be taken is refused as a whole, and nothing is stored", async () => {
    const before = await files("uploads");
    const { status, json } = await upload([{ name: "notes.pdf", content: Buffer.from("hello") }]);
    expect([status, json.code]).toEqual([415, "NOT_PDF"]);
    const large = await upload([{ name: "x.pdf", content: Buffer.concat([smallPdf(), Buffer.alloc(2_000_000)]) }]);
    expect([large.status, large.json.code]).toEqual([413, "TOO_LARGE"]);
    expect(await files("uploads")).toEqual(before);
  });

  it("of the same file is found again, by owner and mapping", async () => {
    const content = smallPdf();
    const first = (await upload([{ name: "one.pdf", content }])).json.files[0];
    const again = await upload([{ name: "other name.pdf", content }]);
    expect(again.status).toBe(200);
    expect(again.json.files[0]).toMatchObject({ outcome: "deduped", deduped_from: first.document.id });
    expect((await upload([{ name: "one.pdf", content }], "mia", "text")).json.files[0].outcome).toBe("taken");
    expect((await upload([{ name: "one.pdf", content }], "mo")).json.files[0].outcome).toBe("taken");
    const sha = first.document.sha256;
    expect((await files("uploads")).filter((name) => name.startsWith(sha))).toHaveLength(1);
  });

  it("of the same file many times at once is one document", async () => {
    const content = smallPdf();
    const answers = await Promise.all(Array.from({ length: 5 }, () => upload([{ name: "x.pdf", content }])));
    expect(answers.map(({ json }) => json.files[0].outcome).toSorted()).toEqual([
      ...["deduped", "deduped", "deduped", "deduped", "taken"],
    ]);
    expect(new Set(answers.map(({ json }) => json.files[0].document.id)).size).toBe(1);
  });

  it("with the same Idempotency-Key is answered alike, and with another body refused", async () => {
    const [one, two] = [smallPdf(), smallPdf()];
    const keyed = { "idempotency-key": "upload-1" };
    const first = await upload([{ name: "k.pdf", content: one }], "mia", undefined, keyed);
    const again = await upload([{ name: "k.pdf", content: one }], "mia", undefined, keyed);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect([again.status, again.text]).toEqual([201, first.text]);
    const other = await upload([{ name: "k.pdf", content: two }], "mia", undefined, keyed);
    expect([other.status, other.json.code]).toEqual([422, "KEY_REUSED"]);
  });

  it("by an address is only of public ones", async () => {
    const body = { urls: ["http://127.0.0.1:9/x.pdf"] };
    const { status, json } = await world.ask("/api/v1/documents", { method: "POST", as: "mia", body });
    expect([status, json.code, json.detail]).toEqual([
      507,
      "IO_ERROR",
      expect.stringMatching(/could not be fetched.* only public ones are fetched/),
    ]);
  });

  it("is for those who may", async () => {
    const { status, json } = await upload([{ name: "x.pdf", content: smallPdf() }], "vic");
    expect([status, json.code]).toEqual([403, "FORBIDDEN"]);
  });
});
