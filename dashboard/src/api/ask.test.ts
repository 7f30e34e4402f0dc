import { afterEach, expect, it, vi } from "vitest";
import { ask, Refusal } from "./ask.ts";

const answering = (answer: Response) => vi.stubGlobal("fetch", async () => answer);
afterEach(() => {
  vi.unstubAllGlobals();
});

it("an answer is what it says", async () => {
  answering(Response.json({ user: "ada" }));
  expect(await ask("/api/v1/me")).toEqual({ user: "ada" });
});

it("an answer without a body is nothing", async () => {
  answering(new Response(null, { status: 204 }));
  expect(await ask("/api/v1/session", { method: "DELETE" })).toBeUndefined();
});

it.each([200, 502])("a page of something in between, told with %i, is a refusal", async (status) => {
  answering(new Response("<html>Sign in to the hotel's network</html>", { status }));
  await expect(ask("/api/v1/me")).rejects.toThrow(`${status}`);
});

it("a refusal says what the server says", async () => {
  answering(Response.json({ code: "CONFLICT", detail: "it is done" }, { status: 409 }));
  const refusal = await ask("/api/v1/items/itm_1/retry", { method: "POST" }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({ message: "it is done", status: 409, problem: { code: "CONFLICT" } });
});

it("whoever nobody answers is told so; whoever gave up is not", async () => {
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("fetch failed");
  });
  await expect(ask("/api/v1/me")).rejects.toMatchObject({ status: 0 });
  await expect(ask("/api/v1/me", { signal: AbortSignal.abort() })).rejects.toThrow("fetch failed");
});
