// Parts: what one stage does for several, each with its own fate. Every part has its own attempts, checkpoint, lane and
// breaker; the item waits for them and goes on by what came of all of them together.

import { checkJson, InputError, safeText } from "../../kit/index.ts";
import type { Service, ServiceFamily } from "./service.ts";
import type { Visit } from "./visit.ts";

/** A part is known by its name; whatever else its code needs to know travels beside it. */
export type PartElement = string | { readonly name: string };

/** `best-effort`: what could be done is done, the rest is told. `all-or-nothing`: what was done is undone when one fails. */
export type PartsPolicy = "best-effort" | "all-or-nothing";

/** What a stage with parts hands on. */
export interface PartsOutput<Output> {
  readonly delivered: readonly string[];
  readonly failed: readonly FailedPart[];
  readonly cancelled: readonly string[];
  /** Of those that were done, by name. Left out where together they are larger than a stage may hand on. */
  readonly outputs: { readonly [part: string]: Output | undefined };
}

export interface FailedPart {
  readonly part: string;
  readonly code: string;
  readonly message: string;
}

/** What has to be undone. */
export interface UndonePart<Input, Out, Output, Part> extends Pick<Visit<Input, Out>, "input" | "out" | "item"> {
  readonly part: Part;
  /** What it handed on; undefined where it was cancelled in the middle of a visit, and may have done its work or not. */
  readonly output: Output | undefined;
  /** The key it did its work under. */
  readonly key: string;
  readonly signal: AbortSignal;
}

/** What a stage with parts says beside what every stage does. Write `parts` before `run`: its type is known from there on. */
export interface PartsOptions<Input, Out, Output, Part extends PartElement, Client> {
  /** For whom or what: names of letters, digits, `.`, `_` and `-`, or objects with such a `name`. None: the stage is skipped. */
  readonly parts: (visit: Visit<Input, Out>) => readonly Part[] | Promise<readonly Part[]>;
  /** Why the stage is skipped where there are none, for people. Default: "it has no parts". */
  readonly none?: string;
  /** Default: best-effort. */
  readonly policy?: PartsPolicy | ((visit: Visit<Input, Out>) => PartsPolicy);
  /**
   * For all-or-nothing: takes back what a part has done. What is gone already is a success. Called until it succeeds, or
   * says with a permanent fault that it cannot be done.
   */
  readonly undo?: (undone: UndonePart<Input, Out, Output, NoInfer<Part>>, client: Client) => Promise<void>;
}

/** As the engine uses it. */
export interface PartsWork {
  readonly list: (visit: Visit) => readonly unknown[] | Promise<readonly unknown[]>;
  readonly none: string;
  readonly policy: (visit: Visit) => PartsPolicy;
  readonly undo:
    | ((undone: UndonePart<unknown, unknown, unknown, unknown>, client: unknown) => Promise<void>)
    | undefined;
  /** Whose lane a part is claimed from, where that can be said before it is visited. */
  readonly serviceOf: (part: string) => Service | undefined;
}

export interface NewPart {
  readonly name: string;
  /** Its element, as JSON. */
  readonly input: string;
  /** Whose lane it enters; "" for nobody's. */
  readonly service: string;
}

export const PARTS_MOST = 1_000;
/** Names are handed on with the stage's output, where they have to leave room for what became of them. */
const NAMES_BYTES = 16 * 1024;
const ELEMENTS_BYTES = 256 * 1024;
const NAME = /^[A-Za-z0-9._-]{1,127}$/;
const POLICIES: readonly unknown[] = ["best-effort", "all-or-nothing"] satisfies PartsPolicy[];

/** Undefined for a stage without parts. `chooses`: a part's service is chosen when it is visited. */
export function checkParts(
  place: string,
  definition: object,
  served: { readonly by: Service | ServiceFamily | undefined; readonly chooses: boolean },
): PartsWork | undefined {
  const {
    parts,
    none = "it has no parts",
    policy = "best-effort",
    undo,
  } = definition as Partial<PartsOptions<unknown, unknown, unknown, PartElement, unknown>>;
  if (parts === undefined) {
    for (const name of ["none", "policy", "undo"] as const) {
      if (name in definition) throw new InputError(`${place}.${name}`, `${place} has no parts, and so no ${name}`);
    }
    return undefined;
  }
  if (typeof parts !== "function") throw new InputError(`${place}.parts`, `${place}.parts is a function`);
  if (typeof none !== "string" || none.trim() === "")
    throw new InputError(`${place}.none`, `${place}.none says in words why a stage without parts is skipped`);
  if (typeof policy !== "function") checkPolicy(policy, place);
  if (undo !== undefined && typeof undo !== "function")
    throw new InputError(`${place}.undo`, `${place}.undo is a function`);
  const { by, chooses } = served;
  return {
    list: parts,
    none,
    policy: (visit) => (typeof policy === "function" ? checkPolicy(policy(visit), place) : policy),
    // The author's types end here, as in checkStage.
    undo: undo as PartsWork["undo"],
    serviceOf: (name) => (chooses ? undefined : typeof by === "function" ? by(name) : by),
  };
}

/** What `parts` answered with, checked. Throws `InputError`, which is a bug of the stage. */
export function checkedParts(
  elements: readonly unknown[],
  work: Pick<PartsWork, "serviceOf">,
  stage: string,
): NewPart[] {
  const field = `parts of ${stage}`;
  if (!Array.isArray(elements)) throw new InputError(field, `${field} are a list, got ${safeText(elements, 80)}`);
  if (elements.length > PARTS_MOST)
    throw new InputError(field, `${field}: at most ${PARTS_MOST} are allowed, got ${elements.length}`);
  const names = new Set<string>();
  const made = Array.from(elements, (element: unknown, index): NewPart => {
    const at = `${field}[${index}]`;
    const name = nameOf(element, at);
    if (names.has(name)) throw new InputError(at, `${at}: there are two parts named ${name}`);
    names.add(name);
    const input = checkJson(element, { field: at, maxBytes: ELEMENTS_BYTES });
    return { name, input, service: work.serviceOf(name)?.name ?? "" };
  });
  checkTogether(field, "names", [...names], NAMES_BYTES);
  checkTogether(
    field,
    "elements",
    made.map((one) => one.input),
    ELEMENTS_BYTES,
  );
  return made;
}

function nameOf(element: unknown, at: string): string {
  const name = typeof element === "object" && element !== null && "name" in element ? element.name : element;
  if (typeof name === "string" && NAME.test(name)) return name;
  throw new InputError(
    at,
    `${at} is a name of letters, digits, . _ and -, at most 127, or an object with such a name, got ${safeText(element, 80)}`,
  );
}

function checkTogether(field: string, what: string, texts: readonly string[], maxBytes: number): void {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > maxBytes)
    throw new InputError(field, `${field}: their ${what} are ${bytes} bytes together, at most ${maxBytes} are stored`);
}

function checkPolicy(policy: PartsPolicy, place: string): PartsPolicy {
  if (POLICIES.includes(policy)) return policy;
  throw new InputError(
    `${place}.policy`,
    `${place}.policy is "best-effort" or "all-or-nothing", got ${safeText(policy, 80)}`,
  );
}
