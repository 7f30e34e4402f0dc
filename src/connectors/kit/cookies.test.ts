import { beforeEach, describe, expect, test } from "vitest";
import { CookieJar } from "./cookies.ts";

let now = 0;
let jar: CookieJar;

beforeEach(() => {
  now = Date.parse("2026-03-01T12:00:00Z");
  jar = new CookieJar(() => now);
});

const at = (address: string) => new URL(address);
const set = (address: string, ...lines: string[]) => jar.store(at(address), lines);
const sent = (address: string) => jar.header(at(address));

describe("a cookie", () => {
  test.each(['a"b', "a=b==", "%41%20", "a b", "{json:1}", "é", ""])("goes back letter for letter: %s", (value) => {
    set("http://nas:8080/", `SID=${value}; HttpOnly; path=/`);
    expect(sent("http://nas:8080/api")).toBe(`SID=${value}`);
  });

  test("goes to the host and port that set it, whatever domain it claims", () => {
    set("http://a.example/", "x=1; Domain=example; Path=/");
    expect(sent("http://a.example/")).toBe("x=1");
    for (const other of ["http://b.example/", "http://example/", "http://a.example:81/", "http://sub.a.example/"]) {
      expect(sent(other)).toBeUndefined();
    }
  });

  test("belongs to its path, and without one to the folder it was set in", () => {
    set("http://nas/api/auth/login", "a=1", "b=2; Path=/api", "c=3; Path=/", "d=4; Path=nonsense");
    expect(sent("http://nas/api/auth/logout")).toBe("a=1; d=4; b=2; c=3");
    expect(sent("http://nas/api/auth")).toBe("a=1; d=4; b=2; c=3");
    expect(sent("http://nas/api/authors")).toBe("b=2; c=3");
    expect(sent("http://nas/apis")).toBe("c=3");
  });

  test("that is secure is not told over an open line", () => {
    set("https://nas/", "a=1; Secure");
    expect(sent("http://nas/")).toBeUndefined();
    expect(sent("https://nas/")).toBe("a=1");
  });

  test("ends when it says so, Max-Age before Expires", () => {
    set(
      "http://nas/",
      "a=1; Max-Age=60; Expires=Sun, 01 Mar 2020 12:00:00 GMT",
      "b=2; Expires=Sun, 01 Mar 2026 12:00:30 GMT",
    );
    expect(sent("http://nas/")).toBe("a=1; b=2");
    now += 30_000;
    expect(sent("http://nas/")).toBe("a=1");
    now += 30_000;
    expect(sent("http://nas/")).toBeUndefined();
  });

  test("is taken back by setting it to the past", () => {
    set("http://nas/", "a=1");
    set("http://nas/", "a=; Max-Age=0");
    expect(sent("http://nas/")).toBeUndefined();
  });

  test("set again is replaced", () => {
    set("http://nas/", "a=1", "b=2");
    set("http://nas/", "a=3");
    expect(sent("http://nas/")).toBe("a=3; b=2");
  });

  test.each(["", ";", "novalue", "=1", " =1", "a=\u0007bell", `a=${"x".repeat(5_000)}`])("%j is none", (line) => {
    set("http://nas/", line);
    expect(sent("http://nas/")).toBeUndefined();
  });

  test("beyond fifty pushes out the oldest", () => {
    for (let i = 0; i < 60; i += 1) set("http://nas/", `c${i}=1`);
    expect(sent("http://nas/")?.split("; ")).toHaveLength(50);
    expect(sent("http://nas/")).not.toContain("c9=");
    expect(sent("http://nas/")).toContain("c10=");
  });
});
