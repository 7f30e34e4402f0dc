// `sluice key create|list|revoke`: keys for programs, on the database itself. A key is shown once, when it is made.

import { findAccount } from "../../server/access/accounts.sql.ts";
import { listKeys } from "../../server/access/keys.sql.ts";
import { SCOPES, type Scope } from "../../server/access/principal.ts";
import { allPages } from "../../server/list-page.ts";
import { openLocal, refuseElsewhere } from "../client/connect.ts";
import { CommandError, EXIT, UsageError } from "../exit.ts";
import { relative } from "../render/when.ts";
import { type Call, type Ended, textOption } from "./call.ts";

export type KeyAction = "create" | "list" | "revoke";
type Local = Awaited<ReturnType<typeof openLocal>>;

const DAY_MS = 86_400_000;

export async function key(action: KeyAction, call: Call): Ended {
  refuseElsewhere(call.options, `key ${action}`);
  const local = await openLocal(call.options);
  try {
    if (action === "create") await create(call, local);
    else if (action === "list") await list(call, local);
    else await revoke(call, local);
  } finally {
    await local.sluice.close();
  }
  return undefined;
}

async function create({ out, options, args: [name = ""] }: Call, { sluice, app }: Local): Promise<void> {
  const account = textOption(options, "for") ?? "";
  const owner = await findAccount(sluice.tables, account);
  if (owner === undefined)
    throw new CommandError(
      EXIT.notFound,
      `there is no account ${JSON.stringify(account)}; a key is somebody's`,
      "sluice user list, then: sluice key create <name> --for <account>",
    );
  const days = textOption(options, "days");
  if (days !== undefined && !(Number(days) > 0)) throw new UsageError("--days is a number above 0", "--days 90");
  const wanted = {
    name,
    scopes: scopesOf(textOption(options, "scopes") ?? "read"),
    owner: { user: owner.name, role: owner.role },
    ...(days === undefined ? {} : { lastsMs: Number(days) * DAY_MS }),
  };
  const made = await app.access.makeKey(app.operator, wanted, null);
  if (out.isJson) out.json({ id: made.row.id, name, account, scopes: wanted.scopes, key: made.key });
  else {
    out.text(made.key);
    out.note(
      `a key of ${account} that may ${wanted.scopes.join(", ")}. It is shown now and never again:\n  export SLUICE_API_KEY=…`,
    );
  }
}

function scopesOf(text: string): Scope[] {
  const scopes = text.split(",").map((one) => SCOPES.find((known) => known === one.trim()));
  if (scopes.some((one) => one === undefined))
    throw new UsageError(`--scopes are some of ${SCOPES.join(", ")}, got ${text}`, "--scopes read,submit");
  return scopes.filter((one) => one !== undefined);
}

async function list({ out, options }: Call, { sluice }: Local): Promise<void> {
  const now = new Date();
  const account = textOption(options, "for") ?? null;
  const rows = await allPages(
    (page) => listKeys(sluice.tables, account, page),
    ({ id }) => id,
  );
  const keys = rows.map((row) => ({
    ...{ id: row.id, name: row.name, account: row.account, scopes: row.scopes },
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    usedAt: row.used_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  }));
  if (out.isJson) return out.json({ entries: keys });
  out.rows(
    [
      { title: "id", value: (one) => one.id, isRight: true },
      { title: "name", value: (one) => one.name, least: 8 },
      { title: "account", value: (one) => one.account, least: 8 },
      { title: "may", value: (one) => one.scopes.join(",") },
      { title: "used", value: (one) => one.usedAt ?? "", shown: (one) => relative(one.usedAt, now) || "never" },
      { title: "ends", value: (one) => one.expiresAt ?? "", shown: (one) => relative(one.expiresAt, now) },
      { title: "state", value: (one) => (one.revokedAt === null ? "" : "revoked"), colour: () => "dim" },
    ],
    keys,
    "no keys; make one: sluice key create <name> --for <account>",
  );
}

async function revoke({ out, args: [id = ""] }: Call, { app }: Local): Promise<void> {
  await app.access.revokeKey(app.operator, id, null);
  if (out.isJson) out.json({ ok: true, id });
  else out.text(`key ${id} lets nobody in any more`);
}
