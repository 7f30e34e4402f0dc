// Look, then write what the look allows, until nothing moved in between.

/** A worker may settle, hand on or claim between a look and a write; it cannot do so for ever. */
const TRIES = 100;

/** Asks again while the answer is that something had moved; undefined when it always had. */
export async function untilStill<Answer>(
  attempt: () => Promise<Answer | "moved">,
): Promise<Exclude<Answer, "moved"> | undefined> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await attempt();
    if (answer !== "moved") return answer as Exclude<Answer, "moved">; // what is left of it
  }
  return undefined;
}
