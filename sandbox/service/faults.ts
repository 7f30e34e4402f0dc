// What can be wrong with a service: each fault by its name, what it does, and what one should see. Pure.

export interface FaultText {
  /** In a sentence. */
  readonly does: string;
  readonly expect: string;
}

const DOWN =
  "Its breaker opens: a banner says that it is down and counts to the next look. Its items wait and spend no attempts; mended, they go on by themselves.";

export const FAULTS = {
  stop: { does: "Ends its process: connections are refused.", expect: DOWN },
  hang: { does: "Takes every request and answers none.", expect: `Calls run into their limit of 3 seconds. ${DOWN}` },
  error: {
    does: "Answers every request with 500.",
    expect: `An item that was just calling spends an attempt. ${DOWN}`,
  },
  corrupt: {
    does: "Sends only the first half of every answer.",
    expect: `Nothing of it is believed: the fault is told as BAD_ANSWER. ${DOWN}`,
  },
  slow: {
    does: "Works at a tenth of its speed.",
    expect: "Progress crawls and estimates grow. Nothing is wrong, so nothing is told as wrong.",
  },
  stall: {
    does: "Keeps its work, and none of it moves.",
    expect:
      "After 8 seconds without movement a job is taken for stalled, removed, and begun anew with another attempt.",
  },
  lie: {
    does: "Says that a job is done when it is halfway.",
    expect: "What is said to be done is looked for before it is believed: the item waits with the reason not_there.",
  },
  lose: {
    does: "Forgets every job soon after it has begun.",
    expect: "Two looks agree that the job is gone: VANISHED. It is begun anew under another key, with another attempt.",
  },
  fill: {
    does: "Fills its folder up to the quota of 1 MB, which the service enforces itself; no real disk is filled.",
    expect:
      "What is to go there waits with the reason disk_low and is tried every 5 seconds; the other targets get theirs.",
  },
} as const satisfies Readonly<Record<string, FaultText>>;

export type FaultName = keyof typeof FAULTS;

/** Some of them, in the usual words. */
export function usual(...names: readonly FaultName[]): Readonly<Record<string, FaultText>> {
  return Object.fromEntries(names.map((name) => [name, FAULTS[name]]));
}

/** How a service behaves with the faults it has. */
export interface Script {
  /** 1 is as usual, 0 is not at all. */
  readonly speed: number;
  readonly answers: "well" | "never" | "with 500" | "by half";
  readonly saysDoneAt: number;
  /** The share of a job after which it is forgotten. */
  readonly losesAt: number;
  readonly isFull: boolean;
}

export function scriptOf(faults: readonly string[]): Script {
  const has = (name: FaultName) => faults.includes(name);
  const pace = has("slow") ? 0.1 : 1;
  return {
    speed: has("stall") ? 0 : pace,
    answers: has("hang") ? "never" : has("error") ? "with 500" : has("corrupt") ? "by half" : "well",
    saysDoneAt: has("lie") ? 0.5 : 1,
    losesAt: has("lose") ? 0.2 : Number.POSITIVE_INFINITY,
    isFull: has("fill"),
  };
}
