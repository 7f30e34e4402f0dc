// That what was refused left nothing behind.

import { afterAll, beforeAll, expect } from "vitest";
import { InputError } from "../../../src/engine/index.ts";
import type { World } from "../world.ts";

const TABLES = [
  ...["request", "request_owner", "item", "run", "journal", "unique_key", "signal", "question", "valve", "audit"],
  ...["rollout", "operation", "operation_item", "removal", "finder", "schedule", "checkpoint", "visit_log"],
];

/** One count for all tests of the suite around it: whatever was stored by any would show. */
export function expectNothingStored(world: World): void {
  const counts = () =>
    world.rows(
      `select ${TABLES.map((table) => `(select count(*) from sluice.${table})::int as ${table}`).join(", ")},
         (select count(*) from sluice.schedule where is_paused)::int as paused`,
    );
  let before: unknown[];
  beforeAll(async () => {
    before = await counts();
  });
  afterAll(async () => {
    expect(await counts()).toEqual(before);
  });
}

/** Refused with a typed error that names the field; answers with its message. */
export async function refused(action: () => Promise<unknown>, field: string): Promise<string> {
  const error = await action().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(InputError);
  expect(error).toMatchObject({ code: "INVALID_INPUT", field });
  return (error as InputError).message;
}
