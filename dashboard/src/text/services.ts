import { count, length } from "./format.ts";

const waiting = (items: number) => (items === 1 ? "1 item waits for it" : `${count(items)} items wait for it`);

export const services = {
  troubles: "Services that are down",
  down: (name: string) => `${name} has not answered since`,
  behind: (items: number) =>
    items === 0 ? "Nothing waits for it." : `${waiting(items)} and will resume automatically.`,
  waiting,
  nextCheck: "Next check",
  checkNow: "Check now",
  check: {
    of: (name: string) => `Check now: ${name}`,
    looking: "A worker was asked to call it; what comes back is told here.",
    back: "It was called, and answered: what waited for it goes on.",
    down: "It was called just now, and is still down.",
    nobody: "Nobody has called it yet. A worker that has its client has to be running: see Workers.",
  },
  details: "Details",
  none: "No pipeline here uses a service.",
  states: { well: "Well", down: "Down", ramping: "Coming back", busy: "Asked us to slow down" },
  rampingHelp: "It has just come back: a few calls at a time, and more with each that works.",
  stateFor: "for",
  ramp: (calls: number) => `now given ${count(calls)}`,
  capacity: (calls: number) => `${count(calls)} at a time`,
  limit: (calls: number, perMs: number) => `${count(calls)} calls in ${length(perMs)}`,
  lastError: "It last said",
  more: "More about it",
  less: "Less about it",
  detail: {
    affects: "What goes through it",
    waiting: "waiting",
    running: "running",
    calls: (p50: string, p90: string) => `Half of the calls took less than ${p50}, nine of ten less than ${p90}.`,
    turns: "When it went and came back",
    noTurns: "It was there all week.",
    opened: "went down",
    closed: (after: string) => (after === "" ? "came back" : `came back after ${after}`),
    errors: "What items last heard from it",
    noErrors: "No item has heard an error from it lately.",
  },
} as const;
