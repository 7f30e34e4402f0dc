import { describe, expect, it } from "vitest";
import { LoginBrake, networkOf, waitFor } from "./login-brake.ts";
import { checkPassword, hashPassword, isPassword } from "./password.ts";
import { isAllowed, ownOnly, type Principal, ROLES, SCOPES } from "./principal.ts";
import { isSameText, newToken, tokenHash, tokenKind } from "./token.ts";

describe("a token", () => {
  it("says what it is for, and never comes twice", () => {
    const made = [newToken("session"), newToken("key"), newToken("setup"), newToken("key")];
    expect(made.map(tokenKind)).toEqual(["session", "key", "setup", "key"]);
    expect(new Set(made).size).toBe(4);
    expect(new Set(made.map(tokenHash)).size).toBe(4);
  });

  it.each(["", "slk_", "slk_short", `slx_${"a".repeat(43)}`, `slk_${"a".repeat(42)}!`, `slk_${"a".repeat(44)}`])(
    "%j is none",
    (text) => expect(tokenKind(text)).toBeUndefined(),
  );

  it("is compared whole", () => {
    expect(isSameText("a", "a")).toBe(true);
    expect(isSameText("a", "ab")).toBe(false);
  });
});

describe("a password", () => {
  it.each([
    ["too short", "elevenchars"],
    ["too long", "ab c".repeat(300)],
    ["a common one", "Password1234"],
    ["three letters over and over", "abcabcabcabc"],
    ["the name and a little more", "annabellaannabella12"],
  ])("is refused: %s", (_, text) => {
    expect(() => checkPassword(text, "annabella")).toThrow(/^password: /);
  });

  it.each(["correct horse battery", "ein langer Satz mit ß", "!!?? 4 reasons why", "密码密码很长的一个密码啊啊"])(
    "is taken: %s",
    (text) => expect(() => checkPassword(text, "annabella")).not.toThrow(),
  );

  it("is known again, however it is composed, and no other is", async () => {
    const stored = await hashPassword("a café in the morning");
    expect(stored).not.toContain("café");
    expect(await isPassword("a cafe\u0301 in the morning", stored)).toBe(true);
    expect(await isPassword("a cafe in the morning", stored)).toBe(false);
    expect(await isPassword("a café in the morning", null)).toBe(false);
    expect(await isPassword("x".repeat(2_000), stored)).toBe(false);
  });

  it("is stored in another way each time", async () => {
    expect(await hashPassword("the same password")).not.toBe(await hashPassword("the same password"));
  });
});

describe("what one may", () => {
  const somebody = (role: Principal["role"], scopes: Principal["scopes"] = null): Principal => ({
    user: "ann",
    role,
    via: scopes === null ? "session" : "key",
    scopes,
  });
  const table = ROLES.map((role) => [role, SCOPES.filter((scope) => isAllowed(somebody(role), scope))]);

  it("follows from the role", () => {
    expect(table).toEqual([
      ["viewer", ["read"]],
      ["member", ["read", "submit", "operate"]],
      ["admin", ["read", "submit", "operate", "admin", "encode"]],
    ]);
  });

  it("a key may no more than its owner, and of that only what its scopes name", () => {
    expect(SCOPES.filter((scope) => isAllowed(somebody("admin", ["read"]), scope))).toEqual(["read"]);
    expect(SCOPES.filter((scope) => isAllowed(somebody("viewer", ["admin", "read"]), scope))).toEqual(["read"]);
    expect(SCOPES.filter((scope) => isAllowed(somebody("member", []), scope))).toEqual([]);
  });

  it("members see their own; the others see everybody's", () => {
    expect(ROLES.map((role) => ownOnly(somebody(role)))).toEqual([null, "ann", null]);
  });
});

describe("the brake on logging in", () => {
  const from = (address: string, name = "ann", isKnown = true) => ({ name, isKnown, address });
  const ann = from("10.0.0.7");

  it("lets people mistype, then slows down, twice as much each time, up to a limit", () => {
    const waits = [0, 4, 5, 6, 7, 30].map((wrong) => waitFor({ wrong, at: 1_000 }, 1_000, 900_000));
    expect(waits).toEqual([0, 0, 1_000, 2_000, 4_000, 900_000]);
    expect(waitFor({ wrong: 30, at: 0 }, 3_600_001, 900_000)).toBe(0);
  });

  it("counts accounts and addresses alike, and forgives an account that was entered", () => {
    let now = 0;
    const brake = new LoginBrake(() => now);
    for (let tries = 0; tries < 6; tries += 1) brake.wrong(ann);
    expect(brake.wait(from("10.0.0.8"))).toBe(2_000);
    expect(brake.wait(from("10.0.0.7", "bob"))).toBe(2_000);
    expect(brake.wait(from("10.0.0.8", "bob"))).toBe(0);
    now = 2_000;
    brake.wrong(ann);
    brake.right(ann);
    expect(brake.wait(from("10.0.0.8"))).toBe(0);
    // Somebody else may sit there: one right password does not open the door for more guesses.
    for (let tries = 0; tries < 3; tries += 1) brake.wrong(from("10.0.0.7", "nobody", false));
    expect(brake.wait(ann)).toBe(16_000);
  });

  it("keeps nobody out of their own account for longer than a few seconds, whoever guesses elsewhere", () => {
    const brake = new LoginBrake(() => 0);
    for (let tries = 0; tries < 100; tries += 1) brake.wrong(from(`10.0.1.${tries}`));
    expect(brake.wait(ann)).toBe(5_000);
  });

  it("does not count those who come in, nor what came to no verdict", () => {
    const brake = new LoginBrake(() => 0);
    for (let times = 0; times < 20; times += 1) {
      brake.wrong(ann);
      if (times % 2 === 0) brake.right(ann);
      else brake.undo(ann);
    }
    expect(brake.wait(ann)).toBe(0);
  });

  it("does not forget an account for all the names and addresses somebody makes up", () => {
    const brake = new LoginBrake(() => 0);
    for (let tries = 0; tries < 6; tries += 1) brake.wrong(ann);
    for (let other = 0; other < 10_000; other += 1) brake.wrong(from(`made up ${other}`, `made up ${other}`, false));
    expect(brake.wait(from("elsewhere"))).toBe(2_000);
  });

  it("slows a name that nobody has as it slows an account: nobody learns which there are", () => {
    const brake = new LoginBrake(() => 0);
    const waits = [true, false].map((isKnown) => {
      for (let tries = 0; tries < 7; tries += 1) brake.wrong(from(`${isKnown} ${tries}`, "carl", isKnown));
      return brake.wait(from("elsewhere", "carl", isKnown));
    });
    expect(waits).toEqual([4_000, 4_000]);
  });

  it.each([
    ["10.0.0.7", "10.0.0.7"],
    ["::ffff:10.0.0.7", "10.0.0.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
    ["fe80::1", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
  ])("takes %s for %s", (address, network) => expect(networkOf(address)).toBe(network));
});
