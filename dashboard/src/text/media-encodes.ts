import { count } from "./format.ts";

/** How encodes and deliveries of a film or an episode stand. */
export const mediaEncodes = {
  title: "Encoded",
  none: "Nothing is encoded for it so far.",
  states: { waiting: "Waiting", running: "Encoding", done: "Done", failed: "Failed" },
  phases: { fetching: "fetching the film", encoding: "encoding", sending: "sending it back" },
  results: { made: "Encoded", same: "Not needed", larger: "Not kept" },
  delivered: "the original is delivered",
  noEncoder: "Waits for an encoder.",
  progress: (encoding: string) => `How far ${encoding} is`,
  by: (encoder: string) => `by ${encoder}`,
  turn: (turn: number) => `given to ${count(turn)} encoders, one after another`,
  fps: (fps: string) => `${fps} pictures a second`,
  speed: (times: string) => `${times} × as fast as it plays`,
  left: (left: string) => `≈ ${left} left`,
  soFar: (made: string, source: string) => `${made} so far, of a film of ${source}`,
  source: (source: string) => `a film of ${source}`,
  sizes: (source: string, made: string) => `${source} → ${made}`,
  smaller: (share: string) => `${share} smaller`,
  larger: (share: string) => `${share} larger`,
  took: (took: string) => `took ${took}`,
} as const;

export const mediaTargets = {
  title: "Servers",
  states: { pending: "Not there yet", delivered: "Delivered", failed: "Failed" },
  asFound: "as it was found",
  progress: (server: string) => `How far ${server} is`,
  resumed: (sent: string) => `${sent} of it sent; the rest was there already`,
  there: "was there already, nothing was sent",
  told: "its media server was told",
  notTold: (why: string) => `its media server could not be told: ${why}`,
  open: "Details",
  openOf: (server: string) => `Details of ${server}`,
  retry: "Try the failed servers again",
  retryAbout: "Only those: what is delivered stays, and is not sent again.",
  retrying: "They are tried again.",
  mayNot: (why: string) => `The failed servers cannot be tried again now: ${why}`,
  count: (delivered: number, all: number) => `${count(delivered)} of ${count(all)} servers have it`,
} as const;
