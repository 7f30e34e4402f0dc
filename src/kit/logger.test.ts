import { expect, test, vi } from "vitest";
import { silentLogger } from "./logger.ts";

test("the silent logger takes everything and says nothing", () => {
  const out = vi.spyOn(process.stdout, "write");
  const err = vi.spyOn(process.stderr, "write");
  silentLogger.info("worker.started");
  silentLogger.warn("worker.slow", { ms: 5 });
  silentLogger.error("worker.failed", { error: new Error("x") });
  expect(out).not.toHaveBeenCalled();
  expect(err).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});
