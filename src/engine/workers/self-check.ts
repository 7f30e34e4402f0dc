// The engine looks after its own rules: a duty that examines, and tells once when one is newly broken or mended.

import type { Logger } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { examine } from "../read/doctor.ts";
import { noteBroken, noteMended } from "./self-check.sql.ts";

export async function selfCheck(db: Queryable, log: Logger): Promise<void> {
  const { checks } = await examine(db);
  const broken = checks.filter((check) => !check.isOk);
  const told = await noteBroken(
    db,
    broken.map(({ name, place, found }) => ({ name, place, found: found.join("; ").slice(0, 1_000) })),
  );
  const news = new Set(told);
  for (const { name, wrong, found, remedy } of broken) {
    if (news.has(name)) log.error("check.broken", { check: name, wrong, found, remedy });
  }
  const fine = checks.filter((check) => check.isOk).map((check) => check.name);
  for (const name of await noteMended(db, fine)) log.info("check.mended", { check: name });
}
