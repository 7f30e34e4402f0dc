import { resolve } from "node:path";
import { expect, it } from "vitest";
import { UsageError } from "../exit.ts";
import { gatewaySettings } from "./gateway.ts";

it("unless it is said otherwise it is on this machine alone, and keeps every file small", () => {
  expect(gatewaySettings({ folder: "gateway" })).toEqual({
    folder: resolve("gateway"),
    host: "127.0.0.1",
    port: 7473,
    atOnce: 2,
    mostPdfBytes: 104_857_600,
    mostXmlBytes: 268_435_456,
    mostPages: 10_000,
    memoryBytes: 536_870_912,
    cpuSeconds: 100,
    wallMs: 150_000,
  });
});

it("what is typed counts", () => {
  const typed = {
    folder: "/g",
    host: "::1",
    port: "0",
    reader: "pdfjs",
    maxPdf: "1",
    memory: "256",
    cpuTime: "1500ms",
    time: "1m",
  };
  expect(gatewaySettings(typed)).toMatchObject({
    ...{ folder: "/g", host: "::1", port: 0, reader: "pdfjs", mostPdfBytes: 1_048_576 },
    ...{ memoryBytes: 268_435_456, cpuSeconds: 2, wallMs: 60_000 },
  });
});

it.each([
  [{}, "needs --folder"],
  [{ folder: "g", reader: "word" }, "--reader must be poppler or pdfjs"],
  [{ folder: "g", atOnce: "many" }, "--at-once must be a whole number"],
  [{ folder: "g", maxPages: "" }, "--max-pages must be a whole number"],
  [{ folder: "g", time: "soon" }, "--time"],
])("%j is refused", (options, words) => {
  expect(() => gatewaySettings(options)).toThrow(UsageError);
  expect(() => gatewaySettings(options)).toThrow(words);
});
