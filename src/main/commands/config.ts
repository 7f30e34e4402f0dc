// `sluice config print|check|schema|set|unset`.

import { nearest } from "../../kit/index.ts";
import { openLocal, refuseElsewhere } from "../client/connect.ts";
import { inForce, jsonSchema } from "../config/describe.ts";
import { furtherProblems } from "../config/further.ts";
import { readValue } from "../config/kinds.ts";
import { gather, problemText, storedName, withStored } from "../config/load.ts";
import { type Resolved, resolve } from "../config/resolve.ts";
import { isPath, PATHS, type SettingPath, settingOf } from "../config/settings.ts";
import { CommandError, EXIT, UsageError } from "../exit.ts";
import { troubleOf } from "../trouble.ts";
import type { Call, Ended } from "./call.ts";

export type ConfigAction = "print" | "check" | "schema" | "set" | "unset";

export async function config(action: ConfigAction, call: Call): Ended {
  const { out, options } = call;
  if (action === "schema") out.text(JSON.stringify(jsonSchema(), null, 2));
  else if (action === "check") {
    const resolved = resolve(await gather(options));
    const problems = [...resolved.problems, ...(await furtherProblems(resolved.config))];
    if (out.isJson) out.json({ ok: problems.length === 0, problems });
    if (problems.length > 0) {
      if (!out.isJson) for (const problem of problems) out.text(problem);
      return EXIT.usage;
    }
    if (!out.isJson) out.text("the configuration is right");
  } else if (action === "print") await print(call);
  else await change(action, call);
  return undefined;
}

async function print({ out, options }: Call): Promise<void> {
  const layers = await gather(options);
  const before = resolve(layers);
  if (before.problems.length > 0) throw new UsageError(problemText(before.problems), "sluice config check");
  const rows = inForce(await inDatabase(options, before, out.note));
  if (out.isJson) return out.json({ entries: rows });
  out.rows(
    [
      { title: "setting", value: (one) => one.name },
      { title: "value", value: (one) => one.value ?? "", shown: (one) => one.value ?? "–", least: 10 },
      {
        title: "from",
        value: (one) => one.source,
        colour: (one) => (one.source === "default" ? "dim" : "cyan"),
        least: 8,
      },
    ],
    rows,
    "",
  );
}

/** Without a database that answers, what is set elsewhere is still worth knowing. */
async function inDatabase(options: Call["options"], before: Resolved, note: (text: string) => void): Promise<Resolved> {
  try {
    const { sluice } = await openLocal(options);
    try {
      return await withStored(await gather(options), sluice.tables);
    } finally {
      await sluice.close();
    }
  } catch (error) {
    const isMeant = error instanceof CommandError || troubleOf(error) !== undefined;
    if (!isMeant) throw error;
    note(`sluice: without what is set in the database: ${troubleOf(error)?.words ?? (error as Error).message}`);
    return before;
  }
}

async function change(action: "set" | "unset", { out, options, args: [name = "", value = ""] }: Call): Promise<void> {
  refuseElsewhere(options, `config ${action}`);
  const path = storable(name);
  const reading = readValue(settingOf(path).kind, value);
  if (action === "set" && "must" in reading)
    throw new UsageError(`${path} ${reading.must}, got ${JSON.stringify(value)}`, "sluice config print");
  const [{ forgetSetting, writeSetting }, { noteAudit }] = await Promise.all([
    import("../../server/settings/setting.sql.ts"),
    import("../../server/access/audit.sql.ts"),
  ]);
  const { sluice, app } = await openLocal(options);
  const actor = app.operator.user;
  try {
    await sluice.tables.transaction(async (tx) => {
      if (action === "set") await writeSetting(tx, storedName(path), value, actor);
      else await forgetSetting(tx, storedName(path));
      const detail = action === "set" ? { value } : undefined;
      await noteAudit(tx, { actor, address: null, action: `settings.${action}`, subject: path, detail });
    });
    const { sources } = await withStored(await gather(options), sluice.tables);
    if (out.isJson) out.json({ ok: true, source: sources[path] });
    else
      out.text(
        action === "set"
          ? `${path} is ${value} in the database, from the next start on`
          : `${path} is no longer set in the database`,
      );
    if (action === "set" && sources[path] !== "database") out.note(`here ${sources[path]} comes before it`);
  } finally {
    await sluice.close();
  }
}

function storable(name: string): SettingPath {
  const known = PATHS.filter((path) => settingOf(path).stored === true);
  if (isPath(name) && known.includes(name)) return name;
  const meant = nearest(name, known);
  throw new UsageError(
    isPath(name) ? `${name} cannot be set in the database` : `there is no setting ${JSON.stringify(name)}`,
    meant === undefined ? `in the database there may be ${known.join(", ")}` : `did you mean ${meant}?`,
  );
}
