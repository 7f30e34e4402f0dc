import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Event } from "../../../src/server/contract/wire.ts";
import { Freshener } from "./freshener.ts";

let client: QueryClient;
let freshener: Freshener;
let isSeen: boolean;
let answers: PromiseWithResolvers<string>[];
let aborted: number;
let leave: () => void;

beforeEach(async () => {
  vi.useFakeTimers();
  [isSeen, answers, aborted] = [true, [], 0];
  client = new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: Number.POSITIVE_INFINITY } } });
  freshener = new Freshener(client, () => isSeen);
  const queryFn = ({ signal }: { readonly signal: AbortSignal }) => {
    signal.addEventListener("abort", () => {
      aborted += 1;
    });
    const answer = Promise.withResolvers<string>();
    answers.push(answer);
    return answer.promise;
  };
  leave = new QueryObserver(client, { queryKey: ["workers"], queryFn }).subscribe(() => {});
  answers[0]?.resolve("first");
  await vi.advanceTimersByTimeAsync(0);
});
afterEach(() => {
  freshener.stop();
  leave();
  client.clear();
  vi.useRealTimers();
});

const event = (type: string) => ({ type, id: "1" }) as Event;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it("many events in a moment are one question", async () => {
  for (let times = 0; times < 20; times += 1) freshener.take(event("worker.changed"));
  expect(answers).toHaveLength(1);
  await pass(2_000);
  expect(answers).toHaveLength(2);
});

it("what is being asked is not cut off by what happens meanwhile, but asked once more after it", async () => {
  freshener.take(event("worker.changed"));
  await pass(2_000);
  freshener.take(event("worker.changed"));
  await pass(6_000);
  expect(aborted).toBe(0);
  expect(answers).toHaveLength(2);
  answers[1]?.resolve("slow");
  await pass(2_000);
  expect(answers).toHaveLength(3);
  answers[2]?.resolve("newest");
  await pass(10_000);
  expect(client.getQueryData(["workers"])).toBe("newest");
  expect(answers).toHaveLength(3);
});

it("after a gap everything is asked for, at once", async () => {
  freshener.take(event("resync"));
  await pass(0);
  expect(answers).toHaveLength(2);
});

it("a page that nobody sees asks for nothing", async () => {
  isSeen = false;
  freshener.take(event("worker.changed"));
  freshener.take(event("hello"));
  await pass(60_000);
  expect(answers).toHaveLength(1);
});
