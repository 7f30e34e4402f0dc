// `sluice doctor`: whether the engine keeps its own rules; ends with 1 where it does not.

import { type Diagnosis, openSluice } from "../../engine/index.ts";
import type { Config } from "../config.ts";
import { stderrLogger } from "../log.ts";

export async function doctorCommand(config: Config): Promise<void> {
  const sluice = await openSluice({
    pipelines: [],
    worker: false,
    pooled: config.pooled,
    log: stderrLogger,
    ...(config.database === undefined ? {} : { database: config.database }),
  });
  try {
    const diagnosis = await sluice.doctor();
    process.stdout.write(`${doctorText(diagnosis)}\n`);
    if (!diagnosis.isOk) process.exitCode = 1;
  } finally {
    await sluice.close();
  }
}

export function doctorText({ checks }: Diagnosis): string {
  const lines = checks.flatMap(({ name, isOk, wrong, found, remedy }) =>
    isOk ? [`ok      ${name}`] : [`BROKEN  ${name}: ${wrong}`, `        ${found.join("; ")}`, `        → ${remedy}`],
  );
  const broken = checks.filter((check) => !check.isOk).length;
  const sum = broken === 0 ? "Nothing is wrong." : `${broken} of ${checks.length} checks found something.`;
  return [...lines, sum].join("\n");
}
