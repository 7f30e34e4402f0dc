// The thread that beats. It has an event loop and a connection of its own, so that it goes on while a stage's code keeps
// the main thread busy. Its limits are shorter than the beat: a statement that hangs must not cost a second one.

import { parentPort, workerData } from "node:worker_threads";
import { invariant, type Logger, safeText, systemClock } from "../../../kit/index.ts";
import { openLone } from "../../db/lone-connection.ts";
import { inlineHeart } from "../heart.ts";
import { type Invitation, NO_INVITATION } from "../worker-row.sql.ts";
import type { FromHeart, HeartThreadData, ToHeart } from "./heart-messages.ts";

const RETRY_SHORTEST_MS = 100;
/** A main thread that is at leisure answers in less than one. The beat waits for it, so a part of a beat at most. */
const ANSWER_MOST_MS = 100;

const port = parentPort;
invariant(port !== null, "heart-thread runs as a thread");
// Given by threadHeart, which is the only one to start this file.
const { url, everyMs, direct } = workerData as HeartThreadData;

const say = (message: FromHeart): void => port.postMessage(message);
const sayAs =
  (level: "info" | "warn" | "error") =>
  (event: string, facts: Record<string, unknown> = {}) =>
    say({ type: "log", level, event, facts });
const log: Logger = { info: sayAs("info"), warn: sayAs("warn"), error: sayAs("error") };

const stopping = new AbortController();
const answerMs = Math.min(ANSWER_MOST_MS, everyMs / 4);
let answer: ((given: Invitation) => void) | undefined;
let epoch = "0";
let failures = 0;

const connection = openLone({
  url,
  applicationName: "sluice beat",
  timeoutMs: Math.round(everyMs * 0.7),
  direct,
  onLost(error) {
    if (stopping.signal.aborted) return;
    log.warn("beat.disconnected", { error: safeText(error, 300) });
    // At once at first: others see the connection gone and give us little more than one beat to return.
    const delay = Math.min(everyMs, RETRY_SHORTEST_MS * 2 ** Math.min(failures, 10));
    failures += 1;
    void systemClock.sleep(delay, stopping.signal).then(() => heart.hurry());
  },
});

/** None where the main thread is kept busy: it would not hear of what it is handed. */
async function askForInvitation(): Promise<Invitation> {
  const answered = new Promise<Invitation>((resolve) => {
    answer = resolve;
  });
  say({ type: "asks" });
  const over = new AbortController();
  const late = systemClock.sleep(answerMs, over.signal).then(() => NO_INVITATION);
  const given = await Promise.race([answered, late]);
  over.abort();
  answer = undefined;
  return given;
}

const heart = inlineHeart(connection, {
  clock: systemClock,
  log,
  everyMs,
  backendPid: () => connection.backendPid(),
  listener: {
    beaten(generation) {
      failures = 0;
      say({ type: "beaten", epoch, generation });
    },
    foundDead: () => say({ type: "foundDead", epoch }),
    invitation: askForInvitation,
  },
});

async function stop(): Promise<void> {
  stopping.abort();
  await heart.stop();
  await connection.close();
  // The last thing that keeps this thread alive.
  port?.close();
}

port.on("message", (message: ToHeart) => {
  switch (message.type) {
    case "start":
      epoch = message.epoch;
      void heart.start(epoch);
      break;
    case "acknowledge":
      heart.acknowledge(message.generation);
      break;
    case "hurry":
      heart.hurry();
      break;
    case "invites":
      if (answer !== undefined) answer(message.invitation);
      // Too late for the last beat, so it is at leisure again: nothing is handed to it until it has been asked anew.
      else heart.hurry();
      break;
    case "stop":
      void stop();
      break;
  }
});
