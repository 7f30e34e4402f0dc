// What every encoder has to do, the fake and the real one alike. Plain functions on node:assert, so that any test runner can run them on
// any implementation.

import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { Fault } from "../../engine/index.ts";
import { InputError } from "../../kit/index.ts";
import type { EncodeOrder, Encoder, SeenEncode } from "./encoder.ts";
import { type EncodingProfileInput, encodingProfile } from "./profile.ts";

export interface EncoderContractWorld {
  readonly client: Encoder;
  /** The same encoder, opened by another process; the one before is gone. */
  nextLife(): Encoder;
  /** A film as the encoder sees its disk. A `slow` one takes seconds. */
  film(name: string, is?: "slow" | "cut" | "rubbish"): Promise<string>;
  /** A place for what is made, in a folder that is there. */
  place(name: string): string;
  /** Whether there is anything by this name. */
  has(path: string): boolean;
  /** Time passes until a look shows it; rejects when it never does. */
  until(client: Encoder, ref: string, isSo: (seen: SeenEncode) => boolean): Promise<SeenEncode>;
  /** Time in which something could have moved. */
  pass(): Promise<void>;
  /** Programs that encode for this key. */
  programs(key: string): number;
  /** What is half written, by whatever name. */
  parts(): readonly string[];
  signal(key: string, signal: "SIGSTOP" | "SIGCONT" | "SIGKILL"): void;
  /** The program of this job will say that all went well, and half of the film is missing. */
  lie(key: string): void;
}

export interface EncoderContractCase {
  readonly name: string;
  readonly run: (world: EncoderContractWorld) => Promise<void>;
}

const profileOf = (more: Partial<EncodingProfileInput> = {}) =>
  encodingProfile.parse({ name: "small", codec: "h264", crf: 40, preset: "ultrafast", ...more });

async function orderOf(
  world: EncoderContractWorld,
  key: string,
  is?: Parameters<EncoderContractWorld["film"]>[1],
  more?: Partial<EncodingProfileInput>,
): Promise<EncodeOrder> {
  const profile = profileOf(more);
  const name = key.replace(":", "-");
  return { key, input: await world.film(name, is), output: world.place(`${name}-out.${profile.container}`), profile };
}

async function lookAt(client: Encoder, ref: string): Promise<SeenEncode> {
  const [seen] = await client.look([ref]);
  ok(seen, "look answers every ref");
  return seen;
}

export function isFault(kind: string, code: string): (error: unknown) => boolean {
  return (error) => error instanceof Fault && error.kind === kind && error.code === code;
}

const isOver = ({ state }: SeenEncode) => state === "done" || state === "failed" || state === "missing";
const isMoving = ({ marks }: SeenEncode) => (marks?.frames ?? 0) > 0;

async function failsWith(world: EncoderContractWorld, order: EncodeOrder, kind: string, code: string): Promise<void> {
  const { state, fault } = await world.until(world.client, await world.client.start(order), isOver);
  equal(state, "failed");
  ok(isFault(kind, code)(fault), `${fault?.kind} ${fault?.code}: ${fault?.message}`);
  ok(fault?.breaker === "success" || fault?.breaker === "none", "the encoder did answer");
  deepEqual([world.has(order.output), world.parts()], [false, []]);
}

export const encoderContract: readonly EncoderContractCase[] = [
  {
    name: "start begins one job, however often it is asked with one key, and at the same time",
    async run(world) {
      const order = await orderOf(world, "a:1", "slow");
      const refs = await Promise.all([1, 2, 3].map(() => world.client.start(order)));
      const [ref = ""] = refs;
      deepEqual(refs, [ref, ref, ref]);
      await world.until(world.client, ref, isMoving);
      equal(await world.client.start(order), ref);
      await world.pass();
      equal(world.programs("a:1"), 1);
    },
  },
  {
    name: "look follows a job to its end: it moves, it never goes back, and it is there under its final name only then",
    async run(world) {
      const order = await orderOf(world, "a:1", "slow");
      const ref = await world.client.start(order);
      const marks: SeenEncode["marks"][] = [];
      const seen = await world.until(world.client, ref, (one) => {
        if (one.state === "running" && one.marks !== undefined) marks.push(one.marks);
        // What was not over when it was looked at had no final name then; it may have got one since.
        ok(isOver(one) || !world.has(order.output) || world.parts().length === 0);
        return isOver(one);
      });
      equal(seen.state, "done", seen.fault?.message);
      for (const [at, mark] of marks.entries())
        for (const [name, height] of Object.entries(marks[at - 1] ?? {})) ok((mark?.[name] ?? 0) >= height, name);
      ok(new Set(marks.map((mark) => mark?.frames)).size > 2, "it was seen to move");
      ok(seen.output?.kind === "made" && seen.output.file === order.output && seen.output.bytes > 0);
      deepEqual([world.has(order.output), world.parts()], [true, []]);
    },
  },
  {
    name: "details tell frames, speed and what is left",
    async run(world) {
      const ref = await world.client.start(await orderOf(world, "a:1", "slow"));
      const { details, progress } = await world.until(world.client, ref, ({ details: one }) => (one?.percent ?? 0) > 0);
      ok(details !== undefined && details.frame > 0 && details.outTimeMs >= 0);
      ok(progress !== undefined && progress > 0 && progress <= 100);
      ok(details.etaMs === null || details.etaMs >= 0);
    },
  },
  {
    name: "adopt finds what was started, by its whole key alone",
    async run(world) {
      const ref = await world.client.start(await orderOf(world, "a:1", "slow"));
      equal(await world.client.adopt("a:1"), ref);
      equal(await world.client.adopt("a:"), null);
      equal(await world.client.adopt("a:12"), null);
    },
  },
  {
    name: "what an earlier life began goes on, is adopted, and is made once",
    async run(world) {
      const order = await orderOf(world, "a:1", "slow");
      await world.until(world.client, await world.client.start(order), isMoving);
      const next = world.nextLife();
      const ref = await next.adopt("a:1");
      ok(ref !== null);
      equal(await next.start(order), ref);
      equal(world.programs("a:1"), 1);
      equal((await world.until(next, ref, isOver)).state, "done");
      ok(world.has(order.output));
    },
  },
  {
    name: "look answers every ref, those it does not know with missing",
    async run(world) {
      const ref = await world.client.start(await orderOf(world, "a:1", "slow"));
      const looks = await world.client.look(["b:1", ref, "", "../a", "x".repeat(5_000)]);
      deepEqual(
        looks.map(({ state }) => state === "missing"),
        [true, false, true, true, true],
      );
      deepEqual(await world.client.look([]), []);
    },
  },
  {
    name: "cancel ends all of it, takes away what is half written, and is content when there is nothing",
    async run(world) {
      const order = await orderOf(world, "a:1", "slow");
      const ref = await world.client.start(order);
      await world.until(world.client, ref, isMoving);
      equal(world.parts().length, 1);
      await world.client.cancel(ref);
      deepEqual([world.programs("a:1"), world.parts(), world.has(order.output)], [0, [], false]);
      await world.client.cancel(ref);
      await world.client.cancel("a:unknown");
      equal((await lookAt(world.client, ref)).state, "missing");
      equal(await world.client.adopt("a:1"), null);
    },
  },
  {
    name: "cancel straight after start leaves nothing that begins later",
    async run(world) {
      const order = await orderOf(world, "a:1", "slow");
      await world.client.cancel(await world.client.start(order));
      await world.pass();
      deepEqual([world.programs("a:1"), world.parts(), world.has(order.output)], [0, [], false]);
      equal((await lookAt(world.client, "a:1")).state, "missing");
    },
  },
  {
    name: "list finds all of a prefix, and nothing else",
    async run(world) {
      for (const key of ["a:1", "a:2", "b:1"]) await world.client.start(await orderOf(world, key, "slow"));
      deepEqual((await world.client.list("a:")).map(({ key }) => key).toSorted(), ["a:1", "a:2"]);
      deepEqual(await world.client.list("c:"), []);
    },
  },
  {
    name: "a program that stands still shows no activity, and goes on when it is let",
    async run(world) {
      const ref = await world.client.start(await orderOf(world, "a:1", "slow"));
      await world.until(world.client, ref, isMoving);
      world.signal("a:1", "SIGSTOP");
      await world.pass();
      const still = await lookAt(world.client, ref);
      await world.pass();
      deepEqual((await lookAt(world.client, ref)).marks, still.marks);
      equal(still.state, "running");
      world.signal("a:1", "SIGCONT");
      await world.until(world.client, ref, (seen) => isOver(seen) || seen.marks?.frames !== still.marks?.frames);
    },
  },
  {
    name: "a program that is killed is a transient fault, and nothing of it stays",
    async run(world) {
      const order = await orderOf(world, "a:1", "slow");
      const ref = await world.client.start(order);
      await world.until(world.client, ref, isMoving);
      world.signal("a:1", "SIGKILL");
      const { state, fault } = await world.until(world.client, ref, isOver);
      equal(state, "failed");
      ok(isFault("transient", "KILLED")(fault), fault?.message);
      deepEqual([world.has(order.output), world.parts()], [false, []]);
    },
  },
  {
    name: "a program that says all went well is not believed",
    async run(world) {
      const order = await orderOf(world, "a:1");
      world.lie("a:1");
      await failsWith(world, order, "transient", "BAD_OUTPUT");
    },
  },
  {
    name: "a source that is not there, is no film or has lost its end is refused for good",
    async run(world) {
      const gone = { ...(await orderOf(world, "a:1")), input: world.place("nothing-there.mkv") };
      await failsWith(world, gone, "permanent", "FILE_NOT_FOUND");
      await failsWith(world, await orderOf(world, "a:2", "rubbish"), "permanent", "INVALID_FORMAT");
      await failsWith(world, await orderOf(world, "a:3", "cut"), "permanent", "INVALID_FORMAT");
    },
  },
  {
    name: "an order that makes no sense is refused before anything begins",
    async run(world) {
      const order = await orderOf(world, "a:1");
      await rejects(world.client.start({ ...order, key: "" }), InputError);
      await rejects(world.client.start({ ...order, input: "film.mkv" }), InputError);
      await rejects(world.client.start({ ...order, output: order.input }), InputError);
      await rejects(world.client.start({ ...order, output: "/tmp/a\0b" }), InputError);
      equal(await world.client.adopt("a:1"), null);
    },
  },
  {
    name: "it says what it is, what it can and how much at a time; an aborted call rejects with the reason it was given",
    async run({ client }) {
      const { version, codecs, slots } = await client.about();
      ok(version !== "" && codecs.includes("h264") && slots > 0);
      const reason = new Fault("transient", "STOPPING", "the worker is stopping");
      await rejects(client.look([], { signal: AbortSignal.abort(reason) }), (error) => error === reason);
    },
  },
];
