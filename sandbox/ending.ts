// What was started is ended in the opposite order, all of it, also where it never came up as a whole.

export class Ending {
  readonly #steps: (() => Promise<unknown>)[] = [];
  #closing: Promise<void> | undefined;

  add(step: () => Promise<unknown>): void {
    this.#steps.push(step);
  }

  /** Safe to call twice. */
  readonly close = (): Promise<void> => {
    this.#closing ??= inOrder(this.#steps.toReversed());
    return this.#closing;
  };
}

/** Where it came up at all; why it did not is told by whoever waited for that. */
export async function ended<T>(starting: Promise<T>, end: (it: T) => Promise<unknown>): Promise<void> {
  const [it] = await Promise.allSettled([starting]);
  if (it.status === "fulfilled") await end(it.value);
}

/** All of them, also where one fails; that is told at the end. */
async function inOrder(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failed: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => failed.push(error));
  if (failed.length > 0) throw new AggregateError(failed, "not everything could be ended");
}
