// What the stages before handed on, by stage. What was handed on in these hands is the text that was stored; it is read when
// somebody asks for it, and most stages ask for little or nothing.

class Unread {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

export class HeldOutputs {
  readonly #names: string[] = [];
  /** In the order of the names; what nobody has asked for yet is still a text. */
  readonly #values: unknown[] = [];

  static from(outputs: Iterable<readonly [string, unknown]>): HeldOutputs {
    const held = new HeldOutputs();
    for (const [stage, output] of outputs) held.set(stage, output);
    return held;
  }

  set(stage: string, output: unknown): void {
    const place = this.#names.indexOf(stage);
    if (place >= 0) this.#values[place] = output;
    else {
      this.#names.push(stage);
      this.#values.push(output);
    }
  }

  setStored(stage: string, json: string): void {
    this.set(stage, new Unread(json));
  }

  delete(stage: string): void {
    const place = this.#names.indexOf(stage);
    if (place < 0) return;
    this.#names.splice(place, 1);
    this.#values.splice(place, 1);
  }

  *entries(): Generator<[string, unknown]> {
    for (const [place, stage] of this.#names.entries()) yield [stage, this.#read(place)];
  }

  values(): unknown[] {
    return this.#names.map((_, place) => this.#read(place));
  }

  #read(place: number): unknown {
    const value = this.#values[place];
    if (!(value instanceof Unread)) return value;
    const output: unknown = JSON.parse(value.json);
    this.#values[place] = output;
    return output;
  }
}
