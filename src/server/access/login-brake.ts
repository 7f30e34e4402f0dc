// Guessing passwords gets slow: after a few wrong ones for an account, or from an address, each further one has to wait longer.
// In this process's memory: with several servers an attacker gets as many tries more, and nobody is locked out by a table.
//
// The pause of an account as a whole stays short, or anybody could keep its owner out. Names that nobody has are braked alike,
// or the brake would tell which accounts there are; they are remembered apart, so that they push no account out of memory.

import { createHash } from "node:crypto";

export interface Tries {
  readonly wrong: number;
  /** Of the last wrong one. */
  readonly at: number;
}

export interface Trying {
  /** As it was typed. */
  readonly name: string;
  /** Whether there is an account of that name. */
  readonly isKnown: boolean;
  readonly address: string;
}

/** So many wrong ones cost nothing: people mistype. */
const FREE = 5;
const SHORTEST_MS = 1_000;
const LONGEST_MS = { account: 5_000, address: 15 * 60_000 };
/** After so long without a wrong one all is forgotten. */
const FORGET_MS = 60 * 60_000;
/** Addresses are cheap to come by: the oldest is forgotten first. */
const REMEMBERED_MOST = 10_000;

/** How long from now until another try is looked at; 0 is now. Pure. */
export function waitFor(tries: Tries | undefined, now: number, longestMs: number): number {
  if (tries === undefined || tries.wrong < FREE || now - tries.at > FORGET_MS) return 0;
  const pause = Math.min(longestMs, SHORTEST_MS * 2 ** (tries.wrong - FREE));
  return Math.max(0, tries.at + pause - now);
}

/** A household, or whoever rents a machine, has a whole network of the newer addresses: the first half names it. */
export function networkOf(address: string): string {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "");
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.split("::");
  const first = head.split(":").filter((part) => part !== "");
  const last = (tail ?? "").split(":").filter((part) => part !== "");
  const whole =
    tail === undefined ? first : [...first, ...Array(Math.max(0, 8 - first.length - last.length)).fill("0"), ...last];
  return `${whole.slice(0, 4).join(":")}::/64`;
}

export class LoginBrake {
  readonly #now: () => number;
  readonly #accounts = new Map<string, Tries>();
  readonly #strangers = new Map<string, Tries>();
  readonly #addresses = new Map<string, Tries>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Milliseconds until this one may try again. */
  wait(who: Trying): number {
    const { address } = who;
    return Math.max(
      waitFor(this.#named(who).get(keyOf(who)), this.#now(), LONGEST_MS.account),
      waitFor(this.#addresses.get(networkOf(address)), this.#now(), LONGEST_MS.address),
    );
  }

  wrong(who: Trying): void {
    this.#count(this.#named(who), keyOf(who));
    this.#count(this.#addresses, networkOf(who.address));
  }

  /** The account is its owner's, and all is forgiven. From the address others may still guess: only this try was none. */
  right(who: Trying): void {
    this.undo(who);
    this.#named(who).delete(keyOf(who));
  }

  /** It came to no verdict. */
  undo(who: Trying): void {
    discount(this.#named(who), keyOf(who));
    discount(this.#addresses, networkOf(who.address));
  }

  #named({ isKnown }: Trying): Map<string, Tries> {
    return isKnown ? this.#accounts : this.#strangers;
  }

  #count(map: Map<string, Tries>, key: string): void {
    const at = this.#now();
    const before = map.get(key);
    const isFresh = before === undefined || at - before.at > FORGET_MS;
    // Taken out first, so that the map stays in the order of the last wrong one.
    map.delete(key);
    map.set(key, { wrong: isFresh ? 1 : before.wrong + 1, at });
    for (const [oldest] of map) {
      if (map.size <= REMEMBERED_MOST) break;
      map.delete(oldest);
    }
  }
}

/** Of one length, however much was typed; and people type passwords there. */
function keyOf({ name }: Trying): string {
  return createHash("sha256").update(name).digest("base64url");
}

function discount(map: Map<string, Tries>, key: string): void {
  const tries = map.get(key);
  if (tries === undefined) return;
  if (tries.wrong <= 1) map.delete(key);
  else map.set(key, { ...tries, wrong: tries.wrong - 1 });
}
