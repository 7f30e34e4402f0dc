import { describe, expect, it } from "vitest";
import { EXIT } from "../exit.ts";
import { asObject, problemOf, readAnswer } from "./answer.ts";

const unreachable = (message: RegExp) =>
  expect.objectContaining({ exit: EXIT.unreachable, message: expect.stringMatching(message) });

describe("an answer that is not ours", () => {
  it.each([
    ["a proxy's page", "<html>", /a page$/],
    ["nothing", "", /something else than JSON$/],
    ["null", "null", /something else than JSON$/],
    ["a number", "7", /something else than JSON$/],
  ])("%s is told as that", (_, text, message) => {
    expect(() => asObject(text, "http://nas")).toThrow(unreachable(message));
  });

  it("that does not end is let go of", async () => {
    let isCancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1_048_576)),
      cancel: () => {
        isCancelled = true;
      },
    });
    await expect(readAnswer(new Response(endless), "here")).rejects.toEqual(unreachable(/does not end$/));
    expect(isCancelled).toBe(true);
  });

  it("is a problem only in what is of its type", () => {
    expect(problemOf('{"detail":7,"actions":3,"instead":["a",1],"requestId":"r"}')).toEqual({
      instead: ["a"],
      requestId: "r",
    });
    for (const text of ["", "<html>", "null", "[]"]) expect(problemOf(text)).toEqual({});
  });
});
