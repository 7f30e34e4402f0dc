import { expect, it } from "vitest";
import { saysTheSame } from "./same-words.ts";

const told =
  "Waiting for indexer:beacon: not answering since 13:20 UTC (33 s): a web page. Checked again at 13:20 UTC (in 2 s).";

it.each<[string, string | undefined, boolean]>([
  [told, told, true],
  [told.replace("33 s", "35 s").replace("13:20 UTC (in 2 s)", "13:21 UTC (any moment)"), told, true],
  [told.replace("beacon", "harbour"), told, false],
  [
    "In download at torrents:main, 5 % since 13:20 UTC (1 s).",
    "In download at torrents:main, 6 % since 13:20 UTC (2 s).",
    true,
  ],
  ["It is downloaded.", told, false],
  [told, undefined, false],
])("%s", (sentence, other, isSame) => {
  expect(saysTheSame(sentence, other)).toBe(isSame);
});
