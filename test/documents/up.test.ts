// Documents on real processes: the server, its worker, the gateway that comes with it; killed, and started again.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encryptedPdf } from "../../sandbox/documents/encrypted-pdf.ts";
import { garbagePdf } from "../../sandbox/documents/hostile-pdfs.ts";
import { reportPdf } from "../../sandbox/documents/pdfs.ts";
import type { DocumentView, Uploaded } from "../../src/server/contract/wire.ts";
import { SseClient } from "../support/feed-client.ts";
import { uploadForm } from "../support/pretend-documents.ts";
import { DocumentsUp } from "./up-world.ts";

describe("with the gateway that comes with it", () => {
  const world = new DocumentsUp();
  beforeAll(() => world.up());
  afterAll(() => world.close());

  it("a PDF becomes XML, and what cannot be read is refused with a code and a reason", async () => {
    const [report, locked, garbage] = await world.upload(
      { name: "report.pdf", content: reportPdf() },
      { name: "locked.pdf", content: encryptedPdf("secret") },
      { name: "garbage.pdf", content: garbagePdf() },
    );
    expect(await world.ended(report?.id ?? "")).toMatchObject({ status: "complete", pages: 3, error: null });
    const xml = await (await world.ask("GET", `/documents/${report?.id}/download`)).text();
    expect(xml).toMatch(/^<\?xml[^>]*\?>\s*<document /);
    expect(await world.ended(locked?.id ?? "")).toMatchObject({
      status: "failed",
      attemptCount: 1,
      error: { code: "GW_4XX" },
    });
    expect((await world.read(locked?.id ?? "")).error?.sentence).toMatch(/password/);
    expect(await world.ended(garbage?.id ?? "")).toMatchObject({
      status: "failed",
      attemptCount: 1,
      error: { code: "GW_4XX" },
    });
  });

  it("nothing that was acknowledged is lost when all of it is killed", async () => {
    const taken = await world.upload(
      ...Array.from({ length: 8 }, (_, n) => ({ name: `${n}.pdf`, content: reportPdf(n + 4) })),
    );
    await world.kill();
    await world.up();
    for (const { id } of taken) expect(await world.ended(id)).toMatchObject({ status: "complete" });
    // What was half written then is nobody's, and goes within a day; each has one result.
    expect((await world.files("results")).filter((name) => name.endsWith(".xml"))).toHaveLength(9);
  });

  it("killed amid an upload: what was answered is there, what was not is no document, and its part is nobody's", async () => {
    const [answered] = await world.upload({ name: "answered.pdf", content: reportPdf(20) });
    await world.beginUpload("never-answered.pdf");
    await world.kill();
    await world.up();
    expect(await world.ended(answered?.id ?? "")).toMatchObject({ status: "complete" });
    const { entries } = await world.json<{ entries: DocumentView[] }>("GET", "/documents?name=never-answered");
    expect(entries).toEqual([]);
    // Swept after a day: retention.test.ts has it, on a clock of its own.
    expect((await world.files("uploads")).filter((name) => name.endsWith(".part"))).toHaveLength(1);
  });

  it("a member hears of her own documents alone, whatever she subscribes to", async () => {
    const mo = { name: "mo", password: "correct horse battery" };
    await world.json("POST", "/accounts", { ...mo, role: "member" });
    const cookie = await world.signIn(mo);
    const [secret] = await world.upload({ name: "secret.pdf", content: reportPdf(21) });
    const theirs = [secret?.id ?? "", secret?.request ?? ""];
    const topics = ["", `?topics=item:${theirs[0]}`, `?topics=request:${theirs[1]}`, "?topics=pipeline:documents"];
    const listeners = await Promise.all(
      topics.map((query) => SseClient.open(`${world.url}/api/v1/events${query}`, { cookie })),
    );
    await world.ask("POST", `/documents/${theirs[0]}/retry`);
    const form = uploadForm([{ name: "own.pdf", content: reportPdf(22) }]);
    const { files } = await world.json<Uploaded>("POST", "/documents", form, cookie);
    const own = files[0]?.document?.id;
    await world.upload({ name: "another secret.pdf", content: reportPdf(23) });
    await world.ended(theirs[0] ?? "");
    const [all, , , ofPipeline] = listeners;
    for (const one of [all, ofPipeline])
      await one?.until(() => one.heard.some(({ jobId, event }) => jobId === own && event === "item.completed"));
    for (const { heard, status } of listeners) {
      expect(status).toBe(200);
      for (const id of theirs) expect(JSON.stringify(heard)).not.toContain(id);
      expect(JSON.stringify(heard)).not.toContain("secret");
    }
    for (const one of listeners) one.close();
  });
});
