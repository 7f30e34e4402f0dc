// `sluice user add|list|password|disable|enable`: accounts, on the database itself, for whoever has that.

import { listAccounts } from "../../server/access/accounts.sql.ts";
import { ROLES, type Role } from "../../server/access/principal.ts";
import { allPages } from "../../server/list-page.ts";
import { secret } from "../ask.ts";
import { openLocal, refuseElsewhere } from "../client/connect.ts";
import { UsageError } from "../exit.ts";
import { relative } from "../render/when.ts";
import { type Call, type Ended, textOption } from "./call.ts";

export type UserAction = "add" | "list" | "password" | "disable" | "enable";

export async function user(action: UserAction, call: Call): Ended {
  const {
    out,
    options,
    args: [name = ""],
  } = call;
  refuseElsewhere(options, `user ${action}`);
  const role = roleOf(textOption(options, "role") ?? "member");
  // Asked for before anything is opened.
  const password =
    action === "add" || action === "password" ? await secret(`Password for ${name}: `, out, options) : "";
  const local = await openLocal(options);
  try {
    if (action === "list") await list(call, local);
    else {
      const { access, operator } = local.app;
      const by = operator.user;
      if (action === "add")
        await access.addAccount(by, { name, role, password, inherit: options.inherit === true }, null);
      else
        await access.changeAccount(
          by,
          name,
          action === "password" ? { password } : { disabled: action === "disable" },
          null,
        );
      if (out.isJson) out.json({ ok: true, name });
      else out.text(TOLD[action](name, role));
    }
  } finally {
    await local.sluice.close();
  }
  return undefined;
}

const TOLD = {
  add: (name: string, role: string) => `${name} may sign in as ${role}`,
  password: (name: string) => `${name} has a new password; every session of theirs has ended`,
  disable: (name: string) => `${name} is shut out, and so are their keys; what they own stays`,
  enable: (name: string) => `${name} may sign in again`,
};

async function list({ out }: Call, { sluice }: Awaited<ReturnType<typeof openLocal>>): Promise<void> {
  const now = new Date();
  const rows = await allPages(
    (page) => listAccounts(sluice.tables, page),
    ({ name }) => name,
  );
  const accounts = rows.map(({ name, role, created_at, disabled_at }) => ({
    ...{ name, role },
    createdAt: created_at.toISOString(),
    disabledAt: disabled_at?.toISOString() ?? null,
  }));
  if (out.isJson) return out.json({ entries: accounts });
  out.rows(
    [
      { title: "name", value: (one) => one.name },
      { title: "role", value: (one) => one.role },
      { title: "state", value: (one) => (one.disabledAt === null ? "" : "shut out"), colour: () => "red" },
      { title: "since", value: (one) => one.createdAt, shown: (one) => relative(one.createdAt, now) },
    ],
    accounts,
    "nobody has an account; make one: sluice user add <name> --role admin",
  );
}

function roleOf(text: string): Role {
  const role = ROLES.find((known) => known === text);
  if (role === undefined) throw new UsageError(`there is no role ${text}`, `--role ${ROLES.join(" | --role ")}`);
  return role;
}
