import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { newKeyText, open, readKeys, seal } from "./seal.ts";

const [one, other] = [newKeyText(), newKeyText()];
const word = "whsec_planted-secret";

describe("a sealed secret", () => {
  test("opens with its key and under its own name only", () => {
    const keys = readKeys(one);
    const sealed = seal(keys, "channel/1", word);
    expect(open(keys, "channel/1", sealed)).toBe(word);
    expect(JSON.stringify(sealed)).not.toContain("planted");
    expect(() => open(keys, "channel/2", sealed)).toThrow(/channel\/2 was changed outside Sluice; set it again/);
    const box = `A${sealed.box.slice(1)}` === sealed.box ? `B${sealed.box.slice(1)}` : `A${sealed.box.slice(1)}`;
    expect(() => open(keys, "channel/1", { ...sealed, box })).toThrow(/changed outside/);
    expect(() => open(keys, "channel/1", { ...sealed, box: "" })).toThrow(/changed outside/);
  });

  test("is another one each time", () => {
    const keys = readKeys(one);
    expect(seal(keys, "a", word)).not.toEqual(seal(keys, "a", word));
  });

  test("of an older key opens while that stands behind the new one, and says which key is missing when it does not", () => {
    const sealed = seal(readKeys(one), "channel/1", word);
    expect(open(readKeys(`${other} ${one}`), "channel/1", sealed)).toBe(word);
    expect(seal(readKeys(`${other}\n${one}\n`), "channel/1", word).keyId).toBe(readKeys(other)[0]?.id);
    expect(() => open(readKeys(other), "channel/1", sealed)).toThrow(
      `was sealed with key ${sealed.keyId}, and this server has ${readKeys(other)[0]?.id}; add the old key`,
    );
    expect(() => open([], "channel/1", sealed)).toThrow(/this server has no key/);
    expect(() => seal([], "channel/1", word)).toThrow(/there is no key to keep secrets with; set SERVER_SECRET_KEY/);
  });
});

describe("a key", () => {
  test.each(["", " ,", "short", "x".repeat(44), `${one} short`, `${one}=`, "0".repeat(63)])(
    "%j is refused, with how to make one",
    (text) => {
      expect(() => readKeys(text)).toThrow(/openssl rand -base64 32/);
    },
  );

  test("is read as hex and as both kinds of base64, and is the same key", () => {
    const bytes = Buffer.from(one, "base64");
    const ids = [one, one.slice(0, 43), bytes.toString("hex"), bytes.toString("base64url")].map(
      (text) => readKeys(text)[0]?.id,
    );
    expect(new Set(ids).size).toBe(1);
  });

  test("shows in no error and no print", () => {
    expect(inspect(readKeys(one), { depth: 9, showHidden: true })).not.toContain(one.slice(0, 12));
    expect(() => readKeys("secret-but-too-short")).not.toThrow(/secret-but/);
  });
});
