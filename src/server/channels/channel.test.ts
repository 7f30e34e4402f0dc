import { describe, expect, test } from "vitest";
import { CHANNEL_TYPES, checkTarget, hideTarget, shownHost } from "./channel.ts";

describe("where a channel may lead", () => {
  const refused = [
    "http://169.254.169.254/latest/meta-data",
    "http://2852039166/",
    "http://0xa9fea9fe/",
    "http://0251.0376.0251.0376/",
    "http://169.254.43518/",
    "http://[::ffff:169.254.169.254]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[fe80::1]/",
    "http://[fd00:ec2::254]/",
    "http://100.100.100.200/",
    "http://168.63.129.16/",
    "http://0.0.0.0/",
    "http://0/",
    "http://224.0.0.1/",
    "http://[64:ff9b::169.254.169.254]/",
  ];
  test.each(refused.flatMap((url) => CHANNEL_TYPES.map((type) => [type, `${url}x/topic`] as const)))(
    "%s: %s is refused where it is typed",
    (type, url) => {
      expect(() => checkTarget(type, { url })).toThrow(/^url leads to .*; nothing is sent there$/);
    },
  );

  test.each(["ftp://nas/x", "file:///etc/passwd", "nas:8080", "javascript:alert(1)", "", "//nas/x"])(
    "%j is no address to send to",
    (url) => {
      expect(() => checkTarget("webhook", { url })).toThrow(/^url must be an address such as/);
    },
  );

  test("neighbours, this machine and the world are fine: an operator typed them", () => {
    for (const url of [
      "http://192.168.1.5:8080/x",
      "http://127.0.0.1:9/x",
      "http://[::1]:9/x",
      "https://example.org/x",
    ])
      expect(checkTarget("discord", { url })).toEqual({ url });
  });

  test("a name or password in an address is refused and not repeated", () => {
    const given = { url: "https://me:planted@example.org/x" };
    expect(() => checkTarget("webhook", given)).toThrow("url must not hold a name or a password");
  });
});

describe("what each type needs", () => {
  test("a webhook is always signed, with a secret that is made where none is given", () => {
    const { secret = "" } = checkTarget("webhook", { url: "https://example.org/" });
    expect(secret).toMatch(/^whsec_/);
    expect(checkTarget("webhook", { url: "https://other.org/" }, { url: "https://example.org/", secret })).toEqual({
      url: "https://other.org/",
      secret,
    });
    expect(() => checkTarget("webhook", { url: "https://example.org/", secret: "planted" })).toThrow(
      /^secret is whsec_/,
    );
  });

  test("ntfy needs a topic, and may have a token, which an empty one takes away", () => {
    expect(() => checkTarget("ntfy", { url: "https://ntfy.example.org" })).toThrow(/has to end with the topic/);
    const known = { url: "https://ntfy.example.org/t", token: "tk_1" };
    expect(checkTarget("ntfy", {}, known)).toEqual(known);
    expect(checkTarget("ntfy", { token: "" }, known)).toEqual({ url: known.url });
    expect(() => checkTarget("ntfy", { token: "a\r\nx: y" }, known)).toThrow(/one word/);
  });

  test("ntfy's token stays with its server: for another one it is given again, or taken away", () => {
    const known = { url: "https://ntfy.example.org/t", token: "tk_planted" };
    expect(checkTarget("ntfy", { url: "https://ntfy.example.org/u" }, known)).toEqual({
      ...known,
      url: `${known.url.slice(0, -1)}u`,
    });
    for (const url of ["https://evil.org/t", "http://ntfy.example.org/t", "https://ntfy.example.org:8443/t"]) {
      expect(() => checkTarget("ntfy", { url }, known)).toThrow(/^the token was for another server/);
      expect(checkTarget("ntfy", { url, token: "tk_2" }, known)).toEqual({ url, token: "tk_2" });
      expect(checkTarget("ntfy", { url, token: "" }, known)).toEqual({ url });
    }
  });

  test("what it does not have is refused", () => {
    const url = "https://example.org/x";
    expect(() => checkTarget("discord", { url, token: "x" })).toThrow("only ntfy channels have a token");
    expect(() => checkTarget("ntfy", { url, secret: "x" })).toThrow(/only webhook channels/);
    expect(() => checkTarget("discord", {})).toThrow(/^url is missing/);
  });
});

describe("what is shown", () => {
  const target = {
    url: "https://discord.example/api/webhooks/123456/planted-token-of-discord?thread=planted2",
    token: "tk_planted3",
  };

  test("of an address is its host", () => expect(shownHost(target.url)).toBe("discord.example"));

  test.each([
    target.url,
    "POST /api/webhooks/123456/planted-token-of-discord of x",
    '{"path":"/api/webhooks/123456/planted-token-of-discord?thread=planted2"}',
    "unknown webhook planted-token-of-discord",
    "you sent Bearer tk_planted3",
    "thread planted2",
  ])("of %j nothing secret is left", (text) => {
    expect(hideTarget(text, target)).not.toContain("planted");
    expect(hideTarget(text, target)).toContain("***");
  });

  test("of a bare host everything else stays", () => {
    expect(hideTarget("GET / said 50%", { url: "https://example.org/" })).toBe("GET / said 50%");
    expect(hideTarget("x 50% y", { url: "https://example.org/a%zz-and-so-on-and-on" })).toBe("x 50% y");
  });
});
