// Everything has a limit: rows of history per item, and the size of what is stored.

import { VALUE_BYTES } from "../../src/engine/intake/limits.ts";
import { MESSAGE_BYTES } from "../../src/engine/pipeline/fault.ts";
import { SIZES, type Sizes } from "./snapshot.sql.ts";
import { Violation } from "./violation.ts";
import type { World } from "./world.ts";

/** The server writes a space after each colon and comma that the limit does not count. */
const SPACES = 1_024;

/** A lease ends once and is refused once at most, and is begun by one wake-up at most: an item's history follows from its leases. */
export function checkSizes(world: World): void {
  const [sizes] = world.read<Sizes>(SIZES);
  if (sizes === undefined) throw new Error("no sizes");
  for (const [item, settled, woken, refused] of sizes.rows) {
    const leases = world.outside.leasesOf(item);
    const most = Math.max(settled, woken, refused);
    if (most > leases)
      throw new Violation(
        "bounds",
        `item ${item} has ${settled} rows of settlements, ${woken} of wake-ups and ${refused} of refusals for ${leases} leases`,
      );
    world.counts.add("checked: rows and sizes");
  }
  const values = { output: sizes.output, input: sizes.input, checkpoint: sizes.checkpoint };
  for (const [what, bytes] of Object.entries(values))
    if (bytes > VALUE_BYTES + SPACES) throw new Violation("bounds", `some ${what} has ${bytes} bytes`);
  if (sizes.message > MESSAGE_BYTES) throw new Violation("bounds", `some message has ${sizes.message} bytes`);
  if (sizes.checkpoints > world.invariants.last.items.length)
    throw new Violation("bounds", `${sizes.checkpoints} checkpoints for fewer items`);
}
