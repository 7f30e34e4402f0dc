// Documents on real processes: the server, its worker, the gateway that comes with it; killed, and started again.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encryptedPdf } from "../../sandbox/documents/encrypted-pdf.ts";
import { garbagePdf } from "../../sandbox/documents/hostile-pdfs.ts";
import { reportPdf } from "../../sandbox/documents/pdfs.ts";
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
});
