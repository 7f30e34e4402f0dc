import { describe, expect, it } from "vitest";
import { onFreePort } from "./free-port.ts";

const TAKEN = new Error("library did not start: Error: listen EADDRINUSE: address already in use 127.0.0.1");

describe("what starts on a free port", () => {
  it("is given another one where somebody was faster", async () => {
    const tried: number[] = [];
    const started = await onFreePort(async (port) => {
      tried.push(port);
      if (tried.length < 3) throw TAKEN;
      return `at ${port}`;
    });
    expect(started).toBe(`at ${tried[2]}`);
    expect(tried.every((port) => port > 0)).toBe(true);
  });

  it("is given up in the end, and at once where it is not about the port", async () => {
    let tries = 0;
    const failing = (error: Error) => () => {
      tries += 1;
      return Promise.reject(error);
    };
    await expect(onFreePort(failing(TAKEN))).rejects.toBe(TAKEN);
    expect(tries).toBe(5);
    await expect(onFreePort(failing(new Error("no such module")))).rejects.toThrow("no such module");
    expect(tries).toBe(6);
  });
});
