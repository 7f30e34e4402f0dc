import { expect, it } from "vitest";
import { at, base, qbittorrent, run } from "../../../test/support/explain-facts.ts";
import { RUN_STATE } from "../items/codes.ts";
import { explain } from "./explain.ts";
import type { Facts, OutsideFacts } from "./facts.ts";

const job: OutsideFacts = {
  ref: "abc",
  state: "running",
  progress: 41.6,
  activeAt: at("13:50"),
  hasMoved: true,
  isLookedAfter: true,
  stallsAt: at("14:20"),
};
const watched = (outside: Partial<OutsideFacts>, service: Partial<typeof qbittorrent> = {}): Partial<Facts> => ({
  run: { ...run, state: RUN_STATE.watched },
  outside: { ...job, ...outside },
  service: { ...qbittorrent, isOpen: false, ...service },
});

it.each([
  [
    "moving",
    watched({}),
    "In encode at qbittorrent, 42 % since 11:20 (2 h 41 min). It last moved at 13:50 (11 min). Without movement it counts as stalled at 14:20 (in 19 min).",
  ],
  [
    "not begun",
    watched({ hasMoved: false, progress: null }),
    "In encode at qbittorrent since 11:20 (2 h 41 min). Nothing has moved yet. Without movement it counts as stalled at 14:20 (in 19 min).",
  ],
  [
    "in line there",
    watched({ state: "queued", stallsAt: null }),
    "In encode at qbittorrent, 42 % since 11:20 (2 h 41 min). It is in line there.",
  ],
  [
    "in line there, where the stage has words for it",
    watched({ state: "queued", stallsAt: null, inLine: "It waits for a free encoder." }),
    "In encode at qbittorrent, 42 % since 11:20 (2 h 41 min). It waits for a free encoder.",
  ],
  [
    "paused there",
    watched({ state: "paused", stallsAt: null }),
    "In encode at qbittorrent, 42 % since 11:20 (2 h 41 min). It is paused there; it goes on when its owner lets it.",
  ],
  [
    "at a service that is down",
    watched({ stallsAt: null }, { isOpen: true, message: "connection refused", probeAt: at("14:05") }),
    "In encode at qbittorrent, 42 % since 11:20 (2 h 41 min); qbittorrent is not answering (connection refused), so nobody knows how it stands. Checked again at 14:05 (in 4 min). That costs no attempt (1 of 5 used).",
  ],
  [
    "looked after by nobody",
    watched({ isLookedAfter: false, stallsAt: null }),
    "In encode at qbittorrent, 42 % since 11:20 (2 h 41 min). As far as is known it goes on there (it was last seen to move at 13:50 (11 min)), but no worker runs that looks after it. Start one that serves encode of media version 2. That costs no attempt (1 of 5 used).",
  ],
  [
    "looked after by nobody, and was not seen to move",
    watched({ isLookedAfter: false, stallsAt: null, hasMoved: false, progress: null }),
    "In encode at qbittorrent since 11:20 (2 h 41 min). As far as is known it goes on there (nothing was seen to move yet), but no worker runs that looks after it. Start one that serves encode of media version 2. That costs no attempt (1 of 5 used).",
  ],
] as const)("outside work that is %s", (_, facts, sentence) => {
  const told = explain({ ...base, ...facts }, { timeZone: "UTC" });
  expect(told.state).toBe("running");
  expect(told.reason).toBe("outside");
  expect(told.sentence).toBe(sentence);
  expect(told.discreetSentence).toBe(sentence.replace(" (connection refused)", ""));
});
