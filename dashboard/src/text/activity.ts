import { count } from "./format.ts";

export const activity = {
  tabs: { alerts: "Alerts", stuck: "Stuck", bulk: "Operations", people: "Who did what", messages: "Messages" },
  none: {
    alerts: "Nothing is wrong.",
    stuck: "Nothing is stuck.",
    bulk: "No operation on many items yet. Select some in Work.",
    people: "Nobody has done anything yet.",
    messages: "Nothing was sent yet. Channels are set up in the settings.",
  },
  firstStuck: (items: number) => `These are the first ${count(items)}; there may be more.`,
  resolvedToo: "Also those that are over",
  openOnly: "Only those that are open",
  opened: "since",
  over: "over",
  snoozed: "Quiet until",
  snooze: "Quiet for a day",
  wake: "Not quiet any more",
  deliveryStates: { waiting: "waits", sent: "sent", "given-up": "given up", overtaken: "overtaken" },
  tries: (tries: number) => (tries === 1 ? "1 try" : `${count(tries)} tries`),
  redeliver: "Send again",
  operation: {
    progress: "How far it is",
    states: { running: "Running", finished: "Finished", stopped: "Stopped" },
    stop: "Stop",
    by: "by",
    counts: { done: "done", refused: "refused", failed: "failed", stopped: "stopped", open: "to come" },
    of: (done: number, total: number) => `${count(done)} of ${count(total)}`,
    close: "All operations",
    members: "What came of each",
    outcomes: { open: "to come", done: "done", refused: "refused", failed: "failed", stopped: "stopped" },
  },
} as const;
