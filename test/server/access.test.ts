// Coming in, on the real tables and a virtual clock.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";
import { Access } from "../../src/server/access/access.ts";
import type { Principal } from "../../src/server/access/principal.ts";
import { prepareServerTables } from "../../src/server/server-tables.ts";

const HERE = "192.0.2.7";
const PASSWORD = "correct horse battery";
let t: TestSluice;
let access: Access;
let clock = 0;

beforeAll(async () => {
  t = await testSluice({ pipelines: [] });
  const { tables } = t.sluice;
  // However many start at once, and however often.
  await Promise.all([1, 2, 3].map(() => prepareServerTables(tables)));
  access = new Access({ tables, now: () => clock });
});
afterAll(() => t.close());

const code = (code: string) => expect.objectContaining({ code });
const admin: Principal = { user: "ann", role: "admin", via: "session", scopes: null };

async function everythingStored(): Promise<string> {
  const tables = ["account", "session", "api_key", "setup", "audit"];
  const rows = await Promise.all(
    tables.map((table) => t.db.query({ name: `all-${table}`, text: `select * from sluice_server.${table}` }, [])),
  );
  return JSON.stringify(rows);
}

describe("the first start", () => {
  it("offers a link; the next start's takes its place; it makes one admin, once", async () => {
    const first = (await access.offerSetup()) ?? "";
    const second = (await access.offerSetup()) ?? "";
    await expect(access.setUp(first, "ann", PASSWORD, HERE)).rejects.toEqual(code("SETUP_OVER"));
    await expect(access.setUp(second, "Ann!", PASSWORD, HERE)).rejects.toThrow(/^name: /);
    await access.setUp(second, "ann", PASSWORD, HERE);
    await expect(access.setUp(second, "eve", PASSWORD, HERE)).rejects.toEqual(code("SETUP_OVER"));
    expect(await access.offerSetup()).toBeUndefined();
  });
});

describe("signing in", () => {
  it("gives a session that is known until it is left", async () => {
    const token = await access.logIn("ann", PASSWORD, HERE);
    expect(await access.principalOf(token)).toMatchObject(admin);
    await access.logOut(token);
    expect(await access.principalOf(token)).toBeUndefined();
  });

  it("says the same of a wrong password and of nobody's name", async () => {
    const refusals = await Promise.all(
      ["ann", "nobody", "'; drop table", ""].map((name) =>
        access.logIn(name, "a wrong password", "192.0.2.9").catch((error: Error) => error.message),
      ),
    );
    expect(new Set(refusals)).toEqual(new Set(["no account has this name and password"]));
    await access.logIn("ann", PASSWORD, HERE);
  });

  it("gets slow after a few wrong ones, for the account and for the address, and not for others", async () => {
    const from = "192.0.2.66";
    for (let tries = 0; tries < 5; tries += 1)
      await expect(access.logIn("ann", "guess after guess", from)).rejects.toEqual(code("UNAUTHENTICATED"));
    await expect(access.logIn("ann", PASSWORD, HERE)).rejects.toEqual(code("RATE_LIMITED"));
    await expect(access.logIn("bob", "guess after guess", from)).rejects.toThrow(/try again in 1 s/);
    clock += 1_000;
    await access.logIn("ann", PASSWORD, HERE);
  });

  it("gets slow alike for a name that nobody has, wherever it is tried next", async () => {
    const told = async (name: string) => {
      for (let tries = 0; tries < 5; tries += 1)
        await access.logIn(name, "a guess", `192.0.3.${tries}`).catch(() => {});
      return await access.logIn(name, "a guess", "192.0.4.1").catch((error: Error) => error.message);
    };
    expect(await told("nobody-such")).toBe(await told("ann"));
    clock += 1_000;
    await access.logIn("ann", PASSWORD, HERE);
  });

  it("lasts while it is used, a week without, and thirty days at most", async () => {
    const idle = await access.logIn("ann", PASSWORD, HERE);
    const used = await access.logIn("ann", PASSWORD, HERE);
    for (let week = 0; week < 4; week += 1) {
      await t.advance("6d");
      expect(await access.principalOf(used)).toBeDefined();
    }
    expect(await access.principalOf(idle)).toBeUndefined();
    await t.advance("6d");
    expect(await access.principalOf(used)).toBeUndefined();
  });
});

describe("accounts", () => {
  it("are added by name, and a name is never given twice", async () => {
    await access.addAccount("ann", { name: "bob", role: "member", password: PASSWORD }, HERE);
    const again = access.addAccount("ann", { name: "bob", role: "admin", password: PASSWORD }, HERE);
    await expect(again).rejects.toEqual(code("CONFLICT"));
  });

  it("that have a new password are out at once; those that are shut out, keys and all", async () => {
    const token = await access.logIn("bob", PASSWORD, HERE);
    const bob = (await access.principalOf(token)) as Principal;
    const { key } = await access.makeKey(bob, { name: "script", scopes: ["read"] }, HERE);
    await access.changeAccount("ann", "bob", { password: "another long one" }, HERE);
    expect(await access.principalOf(token)).toBeUndefined();
    const anew = await access.logIn("bob", "another long one", HERE);
    await access.changeAccount("ann", "bob", { disabled: true }, HERE);
    expect([await access.principalOf(anew), await access.principalOf(key)]).toEqual([undefined, undefined]);
    await expect(access.logIn("bob", "another long one", HERE)).rejects.toEqual(code("UNAUTHENTICATED"));
    await access.changeAccount("ann", "bob", { disabled: false, role: "viewer" }, HERE);
    expect(await access.principalOf(key)).toMatchObject({ role: "viewer", via: "key", scopes: ["read"] });
  });

  it("always leave one admin", async () => {
    for (const change of [{ disabled: true }, { role: "member" }] as const)
      await expect(access.changeAccount("ann", "ann", change, HERE)).rejects.toEqual(code("CONFLICT"));
    await access.changeAccount("ann", "bob", { role: "admin" }, HERE);
    await access.changeAccount("bob", "ann", { role: "viewer" }, HERE);
    await expect(access.changeAccount("bob", "bob", { disabled: true }, HERE)).rejects.toEqual(code("CONFLICT"));
    await access.changeAccount("bob", "ann", { role: "admin" }, HERE);
  });
});

describe("keys", () => {
  it("do what their scopes say, end when they are to, and are revoked by their owner or an admin", async () => {
    const carl: Principal = { user: "carl", role: "member", via: "session", scopes: null };
    await access.addAccount("ann", { name: "carl", role: "member", password: PASSWORD }, HERE);
    const made = await access.makeKey(carl, { name: "cron", scopes: ["submit"], lastsMs: 3_600_000 }, HERE);
    expect(await access.principalOf(made.key)).toEqual({
      user: "carl",
      role: "member",
      via: "key",
      scopes: ["submit"],
      key: made.row.id,
    });
    await expect(access.makeKey(carl, { name: "cron", scopes: ["read"] }, HERE)).rejects.toEqual(code("CONFLICT"));
    await expect(access.makeKey(carl, { name: "more", scopes: ["admin"] }, HERE)).rejects.toEqual(code("FORBIDDEN"));
    await expect(access.makeKey(carl, { name: "none", scopes: [] }, HERE)).rejects.toThrow(/^scopes: /);
    const forAnn = { name: "hers", scopes: ["read"], owner: { user: "ann", role: "admin" } } as const;
    await expect(access.makeKey(carl, forAnn, HERE)).rejects.toEqual(code("FORBIDDEN"));
    const other = await access.makeKey(carl, { name: "other", scopes: ["read"] }, HERE);
    const dora: Principal = { ...carl, user: "dora" };
    await expect(access.revokeKey(dora, other.row.id, HERE)).rejects.toEqual(code("NOT_FOUND"));
    await access.revokeKey(admin, other.row.id, HERE);
    expect(await access.principalOf(other.key)).toBeUndefined();
    await t.advance("61m");
    expect(await access.principalOf(made.key)).toBeUndefined();
  });

  it("that are none are nobody's", async () => {
    for (const text of ["", "slk_x", `slk_${"a".repeat(43)}`, `slu_${"a".repeat(43)}`])
      expect(await access.principalOf(text)).toBeUndefined();
  });
});

describe("what is stored", () => {
  it("has no password, token or key in it, and says who did what from where", async () => {
    const token = await access.logIn("ann", PASSWORD, HERE);
    const { key } = await access.makeKey(admin, { name: "seen once", scopes: ["read"] }, HERE);
    const stored = await everythingStored();
    for (const secret of [PASSWORD, token, key, token.slice(4), key.slice(4)]) expect(stored).not.toContain(secret);
    const done = await t.db.query<{ what: string }>(
      {
        name: "audited",
        text: "select distinct actor || ' ' || action || ' ' || address as what from sluice_server.audit order by 1",
      },
      [],
    );
    expect(done.map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        `ann account.setup ${HERE}`,
        `ann session.begin ${HERE}`,
        "nobody session.refused 192.0.2.66",
        `ann key.make ${HERE}`,
        `bob account.change ${HERE}`,
      ]),
    );
  });
});
