// What the entrance writes to, where a test says when and what it answers.

import type { Statement } from "../../src/engine/db/database.ts";
import { manualClock } from "../../src/kit/index.ts";

/** Lets everything happen that waits for no answer. */
export const turn = () => manualClock().settle();

/** Where the statements have them, and whether it tells. */
const placesOf = (statement: string) =>
  statement === "submit" ? { totals: 0, inputs: 7 } : { totals: 0, inputs: 2, offered: 12, tells: 13 };

/** An array in PostgreSQL's notation, of JSON texts in JSON's; or a line for each. */
function textsIn(statement: string, list: string): string[] {
  return statement === "submit-alike" ? list.split("\n") : (JSON.parse(`[${list.slice(1, -1)}]`) as string[]);
}

/** Answers when it is told to: with rows, or with what `refuse` says of the inputs. */
export class SlowDatabase {
  readonly sent: string[][] = [];
  readonly told: boolean[] = [];
  /** Inputs of items that it does not hand over, whoever asks. */
  readonly closed = new Set<string>();
  #answers: (() => void)[] = [];
  #ids = 0;
  refuse: (inputs: readonly string[]) => Error | undefined = () => undefined;

  async query({ name }: Statement, values: readonly unknown[]): Promise<unknown[]> {
    const places = placesOf(name);
    const isOne = name.startsWith("submit-one");
    const texts = isOne ? [String(values[places.inputs])] : textsIn(name, String(values[places.inputs]));
    const inputs = texts.map((one) => JSON.parse(one) as string);
    const listed = <Value>(place: number) => (isOne ? [values[place]] : values[place]) as Value[];
    const totals = listed<number | null>(places.totals);
    this.sent.push(inputs);
    this.told.push(places.tells !== undefined && values[places.tells] === true);
    await new Promise<void>((resolve) => this.#answers.push(resolve));
    const error = this.refuse(inputs);
    if (error !== undefined) throw error;
    const base = this.#ids;
    this.#ids += 1_000;
    const ids = (list: readonly unknown[]) => list.map((_one, index) => base + index).join(" ");
    if (name === "submit-alike") return [{ request: String(base), items: ids(inputs) }];
    if (name === "submit") return [{ requests: ids(totals), items: ids(inputs) }];
    let request = base;
    const offered = listed<boolean>(places.offered ?? -1);
    return totals.map((total, index) => {
      request += total === null ? 0 : 1;
      const held = name.endsWith("-at-hand") && offered[index] === true && !this.closed.has(inputs[index] ?? "");
      return { id: String(base + index), request_id: String(request), held, input: held ? inputs[index] : null };
    });
  }

  async answer(): Promise<void> {
    for (const one of this.#answers.splice(0)) one();
    await turn();
  }
}
