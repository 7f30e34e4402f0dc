// What there is to choose of a format: how good, with how much pains, and how high. Pure.

import type { EncodingSetting } from "../../../../../src/server/contract/wire.ts";
import { words } from "../../../text/words.ts";

const own = words.settings.delivery.encodings;

export type Codec = EncodingSetting["codec"];
export const CODECS = ["h264", "hevc", "av1"] as const satisfies readonly Codec[];
export const codecIn = (text: string | undefined): Codec => CODECS.find((one) => one === text) ?? "h264";

interface Option {
  readonly value: string;
  readonly label: string;
}

/** Of which CRF means about the same: what the server takes where nothing is said, and the worst there is. */
const CRFS: { readonly [Name in Codec]: { readonly usual: number; readonly most: number } } = {
  h264: { usual: 21, most: 51 },
  hevc: { usual: 24, most: 51 },
  av1: { usual: 30, most: 63 },
};
export const crfOf = (codec: Codec) => CRFS[codec];

const NAMED = ["ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow"];
const NAMED_HOW: { readonly [name: string]: string } = {
  ultrafast: own.presets.fast,
  medium: own.presets.medium,
  veryslow: own.presets.slow,
};
/** Of AV1, where 0 takes the most. */
const NUMBERED = Array.from({ length: 14 }, (_, place) => String(13 - place));
const NUMBERED_HOW: { readonly [name: string]: string } = {
  13: own.presets.fast,
  8: own.presets.medium,
  0: own.presets.slow,
};

/** From the hastiest on. */
export function presetsOf(codec: Codec): readonly Option[] {
  const [names, how] = codec === "av1" ? [NUMBERED, NUMBERED_HOW] : [NAMED, NAMED_HOW];
  return names.map((value) => ({ value, label: own.presetOf(value, how[value] ?? "") }));
}

export const usualPreset = (codec: Codec): string => (codec === "av1" ? "8" : "medium");

const HEIGHTS = [2_160, 1_440, 1_080, 720, 576, 480];

/** One that was set over the API, too, stands among the others. */
export function heightsWith(set: number | null): readonly Option[] {
  const all = [...new Set([...HEIGHTS, ...(set === null ? [] : [set])])].toSorted((one, other) => other - one);
  return [
    { value: "", label: own.maxHeights.none },
    ...all.map((lines) => ({ value: String(lines), label: own.maxHeights.lines(lines) })),
  ];
}
