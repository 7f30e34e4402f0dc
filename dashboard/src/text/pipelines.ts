import { count } from "./format.ts";

export const pipelines = {
  none: "No pipeline has started here yet. A worker brings its pipelines with it: sluice up pipelines.ts",
  version: (version: number) => `Version ${version}`,
  share: (percent: number) => `${percent} % of new requests`,
  workers: (workers: number) =>
    workers === 0 ? "No worker has its code" : workers === 1 ? "1 worker" : `${count(workers)} workers`,
  everything: "Everything",
  held: "Held",
  hold: "Hold",
  resume: "Resume",
  holdHelp: "Nothing new begins; what runs goes on to its end.",
  heldSince: "Held since",
  note: "Why (shown to everybody whose items wait)",
  on: "On",
  off: "Off",
  closing: "Closing",
  switch: (stage: string) => `Stage ${stage}`,
  columns: {
    stage: "Stage",
    switch: "Switch",
    queued: "Queued",
    running: "Running",
    waiting: "Waiting",
    faults: "Faults, 24 h",
    failed: "Failed, 24 h",
    work: "Work, half / 9 of 10",
    stay: "Stay, half / 9 of 10",
  },
  versions: "Versions",
  onlyAdmins: "Admins switch and hold.",
} as const;
