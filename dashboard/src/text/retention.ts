import { count } from "./format.ts";

const requests = (items: number, isMore: boolean) =>
  items === 1 ? "1 request" : `${count(items)}${isMore ? "+" : ""} requests`;

export const retention = {
  title: "How long things are kept",
  about: "What belongs to no pipeline, for all processes, until one is started that is given another time.",
  written: "Written like 90d, 6h or 1d12h.",
  names: { history: "What happened", audit: "Who did what", signals: "Signals that nobody took" },
  onlyAdmins: "Admins set these.",
  unchanged: "It is so already: change one of them first.",
  look: "See what would change",
  go: "Keep it so",
  saved: "It holds from now on.",
  held: (until: string) => `Nothing is removed before ${until}: the clock moved by days, and may be wrong.`,
  requests: {
    title: "Requests, once all of their items have ended",
    about: "Said by the pipelines' code (keep).",
    none: "No pipeline has started here yet.",
    columns: { pipeline: "Pipeline", version: "Version", done: "Done", failed: "Failed", cancelled: "Cancelled" },
    forEver: "for ever",
  },
  preview: {
    title: "What would go next",
    about: "As things stand now, with the next runs. Looking removes nothing; with very much stored it takes a while.",
    look: "Look",
    nothing: "Nothing would go.",
    requests: (items: number, isMore: boolean) => `${requests(items, isMore)}, with these items:`,
    line: (pipeline: string, version: number, items: number, state: string) =>
      `${pipeline}, version ${version}: ${count(items)} ${state.toLowerCase()}`,
    weeks: (weeks: readonly string[]) =>
      weeks.length === 1
        ? `What happened in the week ${weeks[0]}, but for how items ended.`
        : `What happened in ${count(weeks.length)} weeks, from ${weeks[0]} to ${weeks.at(-1)}, but for how items ended.`,
  },
  stored: {
    title: "What is stored",
    oldestRequest: "Oldest request",
    oldestWeek: "What happened, since week",
    lastRun: "Last looked for what may go",
    never: "not yet",
    nothing: "nothing yet",
    columns: { table: "Table", bytes: "Size", rows: "Rows, about" },
  },
  leaving: {
    title: "Should be gone and is not",
    since: "since",
    by: (name: string) => `asked for by ${name}`,
    over: "its time is over",
    underWay: "It goes with the next run.",
  },
} as const;
