// The rules: what each looks for, what can be set of it and within which bounds. On by default. Pure.

import { InputError } from "../../engine/index.ts";

/** A number that an admin may set. */
interface Parameter {
  readonly default: number;
  readonly lowest: number;
  readonly highest: number;
  readonly unit: "s" | "%" | "items" | "bytes" | "attempts";
  readonly what: string;
}

interface RuleDefinition {
  readonly title: string;
  readonly values: { readonly [name: string]: Parameter };
  /** Has values for stages of their own, by "pipeline/stage". */
  readonly perStage?: true;
}

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

const seconds = (fallback: number, lowest: number, highest: number, what: string): Parameter => ({
  ...{ default: fallback, lowest, highest, what },
  unit: "s",
});

export const RULES = {
  stuck: {
    title: "Items stand still without a reason that passes",
    values: { forSeconds: seconds(HOUR, HOUR, 30 * DAY, "for how long") },
  },
  unavailable: { title: "Items wait for a day for something that does not answer", values: {} },
  "error-rate": {
    title: "Too many attempts of a stage fail, over 15 minutes",
    values: {
      abovePercent: { default: 10, lowest: 0, highest: 99, unit: "%", what: "share of attempts that fail" },
      samples: { default: 10, lowest: 1, highest: 10_000, unit: "attempts", what: "fewer say nothing" },
    },
  },
  idle: {
    title: "Nothing of a pipeline is processed although work is due",
    values: { forSeconds: seconds(5 * MINUTE, MINUTE, 15 * MINUTE, "for how long") },
  },
  backlog: {
    title: "Many items wait for one stage",
    values: {
      above: { default: 50, lowest: 1, highest: 10_000, unit: "items", what: "how many may wait" },
      forSeconds: seconds(5 * MINUTE, 0, DAY, "for how long"),
    },
    perStage: true,
  },
  "worker-offline": {
    title: "A worker is gone that had not said goodbye",
    values: { forSeconds: seconds(5 * MINUTE, MINUTE, 7 * DAY, "for how long") },
  },
  "encoder-offline": {
    title: "An encoder is gone that had not said goodbye",
    values: { forSeconds: seconds(5 * MINUTE, 2 * MINUTE, 7 * DAY, "for how long") },
  },
  stalled: {
    title: "Work outside stood still and was given up",
    values: { atLeast: { default: 1, lowest: 1, highest: 1_000, unit: "items", what: "within 15 minutes" } },
  },
  "service-down": {
    title: "A service does not answer",
    values: { forSeconds: seconds(2 * MINUTE, 0, DAY, "for how long") },
  },
  "disk-low": {
    title: "A disk is nearly full",
    values: {
      belowPercent: { default: 5, lowest: 0, highest: 90, unit: "%", what: "share that is free" },
      belowBytes: { default: 2_147_483_648, lowest: 0, highest: 1e15, unit: "bytes", what: "bytes that are free" },
    },
  },
  "unknown-reason": { title: "Items wait and nobody can say why", values: {} },
  "channel-failing": {
    title: "Messages do not get through",
    values: { forSeconds: seconds(10 * MINUTE, 0, DAY, "for how long") },
  },
} as const satisfies { readonly [name: string]: RuleDefinition };

export type RuleName = keyof typeof RULES;
export const RULE_NAMES = Object.keys(RULES) as RuleName[]; // Object.keys forgets the key type of a constant

export interface RuleSettings {
  readonly on: boolean;
  readonly values: Readonly<Record<string, number>>;
  /** In place of `above`, for one stage: "films/encode". */
  readonly stages: Readonly<Record<string, number>>;
  /** Ids of channels; null for all of them. */
  readonly channels: readonly string[] | null;
}

export type AllSettings = Readonly<Record<RuleName, RuleSettings>>;

export type GivenSettings = { readonly [Part in keyof RuleSettings]?: RuleSettings[Part] | undefined };

const STAGES_MOST = 500;
const CHANNELS_MOST = 50;

export function isRule(name: string): name is RuleName {
  return Object.hasOwn(RULES, name);
}

/** What is not given has its default. Throws, naming what is wrong and what would do. */
export function checkSettings(rule: RuleName, given: GivenSettings): RuleSettings {
  const definition: RuleDefinition = RULES[rule];
  const { on = true, channels = null, stages = {} } = given;
  const values = Object.fromEntries(Object.entries(definition.values).map(([name, one]) => [name, one.default]));
  for (const [name, value] of Object.entries(given.values ?? {}))
    values[name] = checkValue(`values.${name}`, parameter(definition, rule, name), value);
  if (Object.keys(stages).length > 0 && definition.perStage === undefined)
    throw new InputError("stages", `the rule ${rule} has no values for single stages`);
  if (Object.keys(stages).length > STAGES_MOST) throw new InputError("stages", `at most ${STAGES_MOST} stages`);
  for (const [name, value] of Object.entries(stages)) {
    if (!/^[^/]{1,100}\/[^/]{1,100}$/.test(name))
      throw new InputError("stages", `a stage is named as in films/encode, got ${JSON.stringify(name.slice(0, 100))}`);
    checkValue(`stages.${name}`, parameter(definition, rule, "above"), value);
  }
  if (channels !== null && (channels.length > CHANNELS_MOST || channels.some((id) => !/^\d{1,18}$/.test(id))))
    throw new InputError("channels", "channels are ids of channels, or null for all");
  return { on, values, stages, channels };
}

function parameter({ values }: RuleDefinition, rule: string, name: string): Parameter {
  const found = Object.hasOwn(values, name) ? values[name] : undefined;
  if (found !== undefined) return found;
  const known = Object.keys(values).join(", ");
  throw new InputError(
    `values.${name}`,
    `the rule ${rule} has no ${JSON.stringify(name.slice(0, 100))}; it has ${known === "" ? "nothing to set" : known}`,
  );
}

function checkValue(field: string, { lowest, highest, unit }: Parameter, value: number): number {
  const isWhole = unit === "%" || Number.isInteger(value);
  if (!Number.isFinite(value) || !isWhole || value < lowest || value > highest)
    throw new InputError(
      field,
      `${field} is ${isWhole ? "a" : "a whole"} number from ${lowest} to ${highest} (${unit})`,
    );
  return value;
}

export const settingName = (rule: RuleName): string => `alert-rule.${rule}`;

/** What is stored, as it holds. What a newer release wrote and we cannot read is the default, and never an error. */
export function settingsOf(stored: ReadonlyMap<string, unknown>): AllSettings {
  const all = RULE_NAMES.map((rule) => [rule, storedSettings(rule, stored.get(settingName(rule)))] as const);
  return Object.fromEntries(all) as Record<RuleName, RuleSettings>; // a key for every name
}

function storedSettings(rule: RuleName, value: unknown): RuleSettings {
  try {
    return checkSettings(rule, (value ?? {}) as GivenSettings); // only ever written after this very check
  } catch (error) {
    if (error instanceof InputError || error instanceof TypeError) return checkSettings(rule, {});
    throw error;
  }
}

/** A value that the rule has. */
export function settingOf({ values }: RuleSettings, name: string): number {
  return values[name] ?? 0;
}
