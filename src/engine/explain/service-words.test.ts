import { describe, expect, it } from "vitest";
import { at, base, qbittorrent, valve } from "../../../test/support/explain-facts.ts";
import { explain } from "./explain.ts";
import type { Facts } from "./facts.ts";

const table: readonly (readonly [
  name: string,
  facts: Partial<Facts>,
  state: string,
  reason: string,
  sentence: string,
])[] = [
  [
    "a service that is down",
    {
      valve: { ...valve, kind: "breaker", service: "qbittorrent" },
      service: {
        ...qbittorrent,
        isOpen: true,
        changedAt: at("12:00"),
        probeAt: at("14:05"),
        code: "REFUSED",
        message: "connection refused",
      },
    },
    "queued",
    "service_down",
    "Waiting for qbittorrent: not answering since 12:00 (2 h 1 min): connection refused. Checked again at 14:05 (in 4 min). That costs no attempt (1 of 5 used).",
  ],
  [
    "a service that refuses our credentials",
    {
      valve: { ...valve, kind: "breaker", service: "qbittorrent" },
      service: {
        ...qbittorrent,
        isOpen: true,
        changedAt: at("12:00"),
        probeAt: at("14:05"),
        code: "AUTH",
        message: "401",
      },
    },
    "queued",
    "service_down",
    "Waiting for qbittorrent: it has refused our credentials since 12:00 (2 h 1 min): 401. Needs you: renew them. Checked again at 14:05 (in 4 min). That costs no attempt (1 of 5 used).",
  ],
  [
    "a service that asked us to wait",
    { service: { ...qbittorrent, busyUntil: at("14:05") } },
    "queued",
    "rate_limited",
    "In line for encode since 11:20 (2 h 41 min): qbittorrent asked us to wait. Goes on at 14:05 (in 4 min). That costs no attempt (1 of 5 used).",
  ],
  [
    "a service whose limit is used up",
    { service: { ...qbittorrent, rate: { count: 30, perMs: 60_000, until: at("14:02") } } },
    "queued",
    "rate_limited",
    "In line for encode since 11:20 (2 h 41 min): the limit of qbittorrent (30 in 1 min) is used up. Goes on at 14:02 (in 1 min). That costs no attempt (1 of 5 used).",
  ],
  [
    "a service that has just come back",
    { service: { ...qbittorrent, ramp: 2 }, lane: { ...base.lane, ahead: 3 } },
    "queued",
    "ramping",
    "In line for encode since 11:20 (2 h 41 min): qbittorrent has just come back and is given 2 at a time, 3 are ahead.",
  ],
  [
    "a service without room",
    { service: { ...qbittorrent, capacity: 3 } },
    "queued",
    "at_capacity",
    "In line for encode since 11:20 (2 h 41 min): all 3 places at qbittorrent are taken, next in line.",
  ],
  [
    "a service that nobody has a client for",
    { service: qbittorrent, lane: { ...base.lane, liveWorkers: 0 } },
    "queued",
    "no_worker",
    "Waiting for a worker since 11:20 (2 h 41 min): none that is running serves encode of media version 2 with a client for qbittorrent. Start one that does. That costs no attempt (1 of 5 used).",
  ],
];

describe("the sentence for an item behind", () => {
  it.each(table)("%s", (_, facts, state, reason, sentence) => {
    expect(explain({ ...base, ...facts }, { timeZone: "Etc/UTC" })).toMatchObject({ state, reason, sentence });
  });

  it.each([
    ["is down", "REFUSED", "not answering since 12:00 (2 h 1 min)."],
    [
      "refuses our credentials",
      "AUTH",
      "it has refused our credentials since 12:00 (2 h 1 min). Needs you: renew them.",
    ],
  ])("a service that %s, without what it said", (_, code, words) => {
    const open = { ...qbittorrent, isOpen: true, changedAt: at("12:00"), code, message: "no such film: Alien" };
    const facts = { ...base, valve: { ...valve, kind: "breaker" }, service: open };
    expect(explain(facts, { timeZone: "Etc/UTC" })).toMatchObject({
      sentence: expect.stringContaining("no such film: Alien"),
      discreetSentence: expect.stringContaining(`Waiting for qbittorrent: ${words}`),
    });
  });

  it("a service that is down offers to have it looked at", () => {
    const down = { valve: { ...valve, kind: "breaker" }, service: { ...qbittorrent, isOpen: true } };
    expect(explain({ ...base, ...down }).actions).toEqual(["check", "cancel"]);
  });
});
