// The fake encoder: the same functions on a world in memory, with troubles on demand.

import type { Clock } from "../../kit/index.ts";
import { type Trouble, Troubles } from "../kit/index.ts";
import type { Encoder, EncoderAbout } from "./encoder.ts";
import { EncoderWorld } from "./encoder-world.ts";
import { checkedOrder } from "./order.ts";

export type EncoderCall = keyof Encoder;

export interface FakeEncoderOptions {
  readonly service?: string;
  /** From the first picture to the last. */
  readonly ticks?: number;
  readonly slots?: number;
  readonly clock?: Clock;
}

export interface FakeEncoder {
  readonly client: Encoder;
  /** The other side, and what it knows. */
  readonly world: EncoderWorld;
  /** The next calls of this kind, one trouble each. */
  trouble(call: EncoderCall, ...troubles: readonly Trouble[]): void;
  /** Nobody there until it is up again; its jobs go on. */
  down(isDown?: boolean): void;
  /** Calls that were made, by kind. */
  readonly calls: Readonly<Record<EncoderCall, number>>;
}

const ABOUT: Omit<EncoderAbout, "slots"> = {
  program: "fake",
  version: "1",
  codecs: ["h264", "hevc", "av1"],
  audioCodecs: ["aac", "opus"],
  hasNoNetwork: true,
};

export function fakeEncoder({
  service = "fake-encoder",
  ticks,
  slots = 5,
  clock,
}: FakeEncoderOptions = {}): FakeEncoder {
  const world = new EncoderWorld(ticks === undefined ? {} : { ticks });
  const calls: Record<EncoderCall, number> = { about: 0, start: 0, adopt: 0, look: 0, cancel: 0, list: 0 };
  const troubles = new Troubles<EncoderCall>(service, calls, clock);
  const stateOf = (key: string) => ({ ref: key, key, state: world.seen(key).state });
  return {
    client: {
      about: (signal) => troubles.answer("about", signal, () => ({ ...ABOUT, slots })),
      start: async (asked, call) => {
        const order = checkedOrder(asked);
        return troubles.answer("start", call?.signal, () => {
          world.start(order);
          return order.key;
        });
      },
      adopt: (key, call) => troubles.answer("adopt", call?.signal, () => (world.get(key) === undefined ? null : key)),
      look: (refs, call) => troubles.answer("look", call?.signal, () => refs.map((ref) => world.seen(ref))),
      cancel: (ref, call) => troubles.answer("cancel", call?.signal, () => world.cancel(ref)),
      list: (prefix, call) =>
        troubles.answer("list", call?.signal, () =>
          world
            .keys()
            .filter((key) => key.startsWith(prefix))
            .map(stateOf),
        ),
    },
    world,
    calls,
    trouble: (call, ...planned) => troubles.plan(call, ...planned),
    down: (isDown = true) => {
      troubles.isDown = isDown;
    },
  };
}
