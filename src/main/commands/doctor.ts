// `sluice doctor`: whether the engine keeps its own rules; ends with 1 where it does not.

import type { Diagnosis } from "../../server/contract/wire.ts";
import { openLocal, remoteClient, targetOf } from "../client/connect.ts";
import type { Flags } from "../config/load.ts";
import { EXIT } from "../exit.ts";
import type { Paint } from "../render/paint.ts";
import { plain } from "../render/paint.ts";
import type { Call, Ended } from "./call.ts";

export async function doctor({ out, options }: Call): Ended {
  const diagnosis = await examine(options);
  if (out.isJson) out.json(diagnosis);
  else out.text(doctorText(diagnosis, out.paint));
  return diagnosis.isOk ? undefined : EXIT.failed;
}

async function examine(options: Flags): Promise<Diagnosis> {
  const target = targetOf(options);
  if (target !== undefined) return await remoteClient(target).ask<Diagnosis>("/api/v1/doctor");
  const { sluice } = await openLocal(options);
  const { toDiagnosis } = await import("../../server/contract/overview.ts");
  try {
    return toDiagnosis(await sluice.doctor(), true);
  } finally {
    await sluice.close();
  }
}

export function doctorText({ checks }: Diagnosis, paint: Paint = plain): string {
  const lines = checks.flatMap(({ name, isOk, wrong, found, remedy }) =>
    isOk
      ? [`${paint("green", "ok")}      ${name}`]
      : [
          `${paint("red", "BROKEN")}  ${name}: ${wrong}`,
          ...(found.length === 0 ? [] : [`        ${found.join("; ")}`]),
          `        → ${remedy}`,
        ],
  );
  const broken = checks.filter((check) => !check.isOk).length;
  const sum = broken === 0 ? "Nothing is wrong." : `${broken} of ${checks.length} checks found something.`;
  return [...lines, sum].join("\n");
}
