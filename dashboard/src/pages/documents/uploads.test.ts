import { describe, expect, it } from "vitest";
import type { Uploaded } from "../../../../src/server/contract/wire.ts";
import {
  answered,
  begin,
  ended,
  nextBatch,
  progressed,
  readUrls,
  refusedAll,
  tally,
  type Upload,
  type UploadLimits,
} from "./uploads.ts";

const MIB = 1_024 * 1_024;
const limits: UploadLimits = { fileBytes: 50 * MIB, files: 3 };
/** As far as anybody looks at it here. */
const file = (name: string, size: number) => ({ name, size }) as File;

function some(...sizes: readonly number[]): readonly Upload[] {
  return sizes.map((size, index) =>
    begin({ file: file(`${index}.pdf`, size), isFolder: false }, index, "layout", limits),
  );
}
const phases = (uploads: readonly Upload[]) => uploads.map(({ phase }) => phase);
const keys = (uploads: readonly Upload[]) => uploads.map(({ key }) => key);

describe("what was chosen", () => {
  it("waits, unless it is larger than may be sent: that is told before a byte of it goes out", () => {
    const [fits, large] = some(50 * MIB, 50 * MIB + 1);
    expect(fits).toMatchObject({ phase: "waiting", name: "0.pdf", sentence: null });
    expect(large).toMatchObject({ phase: "refused", advice: expect.stringContaining("Split it") });
    expect(large?.sentence).toContain("50.0 MiB");
  });

  it("is not sent where it is a folder", () => {
    const folder = begin({ file: file("papers", 4_096), isFolder: true }, 1, "layout", limits);
    expect(folder).toMatchObject({
      phase: "refused",
      name: "papers",
      advice: expect.stringContaining("drop the PDFs"),
    });
  });
});

describe("what is sent together", () => {
  it("is as many as may be sent at once, in their order", () => {
    expect(keys(nextBatch(some(1, 1, 1, 1, 1), limits))).toEqual([0, 1, 2]);
    expect(nextBatch([], limits)).toEqual([]);
  });

  it("is no more than is worth losing; what is larger than that goes alone", () => {
    expect(keys(nextBatch(some(20 * MIB, 10 * MIB, 10 * MIB), limits))).toEqual([0, 1]);
    expect(keys(nextBatch(some(40 * MIB, 1), limits))).toEqual([0]);
  });

  it("has one mapping, and either files or addresses", () => {
    const other = begin({ file: file("x.pdf", 1), isFolder: false }, 7, "text", limits);
    const address = begin({ file: null, url: "https://example.org/a.pdf" }, 8, "layout", limits);
    const all = [...some(1), other, address, ...some(1, 1).map((one) => ({ ...one, key: one.key + 20 }))];
    expect(keys(nextBatch(all, limits))).toEqual([0, 20, 21]);
    expect(keys(nextBatch([address, ...some(1)], limits))).toEqual([8]);
  });

  it("has nothing in it that has come to something", () => {
    const all = some(1, 1);
    expect(keys(nextBatch(ended(all, all.slice(0, 1), { phase: "failed", sentence: "" }), limits))).toEqual([1]);
  });
});

it("what has gone out belongs to the first ones, and all of it is looked at once it is there", () => {
  const all = some(100, 200, 100);
  const half = progressed(all, all, 0.5);
  expect(half.map(({ sent }) => sent)).toEqual([1, 0.5, 0]);
  expect(phases(half)).toEqual(["sending", "sending", "sending"]);
  const whole = progressed(all, all.slice(0, 2), 1);
  expect(phases(whole)).toEqual(["checking", "checking", "waiting"]);
  expect(progressed(some(0), some(0), 0.2)[0]?.sent).toBe(0.2);
});

describe("what came of it", () => {
  const told = (outcome: "taken" | "deduped" | "refused", id: string | null) =>
    ({
      ...{ name: "x", outcome, deduped_from: outcome === "deduped" ? id : null, code: null },
      ...{ sentence: `It is ${outcome}.`, advice: null, document: outcome === "taken" ? { id } : null },
    }) as Uploaded["files"][number];

  it("is told of each, in their order", () => {
    const all = some(1, 1, 1, 1);
    const files = [told("taken", "itm_1"), told("deduped", "itm_2"), told("refused", null)];
    const came = answered(all, all, { files, would: null });
    expect(phases(came)).toEqual(["taken", "deduped", "refused", "failed"]);
    expect(came.map(({ document }) => document)).toEqual(["itm_1", "itm_2", null, null]);
    expect(tally(came)).toBe("1 uploaded, 1 there already, 1 refused, 1 not sent");
  });

  it("is told of each where all of them are refused", () => {
    const all = some(1, 1, 1);
    const fields = [
      { field: "0.pdf", message: "This is not a PDF." },
      { field: "1.pdf", message: "This is larger than may be uploaded." },
    ];
    const both = refusedAll(all, all.slice(0, 2), { code: "NOT_PDF", detail: "0.pdf: not", fields });
    expect(phases(both)).toEqual(["refused", "refused", "waiting"]);
    expect(both[1]).toMatchObject({ sentence: "This is larger than may be uploaded.", advice: null });
    const [one] = refusedAll(all, all.slice(0, 1), { code: "NOT_PDF", detail: "0.pdf: This is not a PDF." });
    expect(one).toMatchObject({ sentence: "0.pdf: This is not a PDF.", advice: "Export it as PDF and upload that." });
  });
});

it.each([
  ["", "Type at least one address."],
  ["ftp://example.org/a.pdf", "“ftp://example.org/a.pdf” is no address that begins with http:// or https://."],
  ["https://", "“https://” is no address that begins with http:// or https://."],
  ["https://a.example/1.pdf ".repeat(21), "20 addresses at most."],
])("addresses such as %j are refused here already", (text, wrong) => {
  expect(readUrls(text)).toEqual({ wrong });
});

it("addresses are read line by line", () => {
  expect(readUrls(" https://a.example/1.pdf\n\nhttp://b.example/2.pdf ")).toEqual({
    urls: ["https://a.example/1.pdf", "http://b.example/2.pdf"],
  });
});
