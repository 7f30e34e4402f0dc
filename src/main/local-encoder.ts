// The encoder that runs with `sluice up --apps media`.

import { mkdir } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { deskSpeaker, EncodingAgent, type MediaApp, type Speaker } from "../apps/media/index.ts";
import { ffmpegEncoder } from "../connectors/index.ts";
import type { SluiceError } from "../engine/index.ts";
import { type Service, systemClock, systemRandom } from "../kit/index.ts";
import type { Config } from "./config/settings.ts";
import { encodesFolder } from "./encodes-folder.ts";
import type { Log } from "./log.ts";
import type { Part } from "./open-options.ts";
import { ownFolder } from "./own-folder.ts";
import type { Say } from "./say.ts";
import { packageVersion } from "./version.ts";

interface Given {
  readonly part: Part;
  readonly config: Config;
  readonly media: MediaApp | undefined;
  readonly log: Log;
  readonly say: Say;
}

/** Undefined where none is wanted. */
export async function startLocalEncoder({ part, config, media, log, say }: Given): Promise<Service | undefined> {
  if (part !== "up" || media === undefined || !config["media.encoder"]) return undefined;
  const name = encoderName(config["worker.name"] ?? hostname());
  const slots = config["media.encoderSlots"];
  const work = path.resolve(config["media.encoderWork"] ?? path.join(ownFolder(config) ?? "./data", "encoder"));
  const speaker = deskSpeaker(media.desk, media.tables, name);
  const refused = Promise.withResolvers<SluiceError>();
  const agent = await makeAgent({ speaker, work, slots, log, refused: refused.resolve });
  say("encoding", `encoding ${slots} at a time as ${name}, to ${encodesFolder(config)}`, { name, slots });
  await agent.start();
  // All else goes on: what it would encode is encoded by whoever has its name.
  void refused.promise.then(async ({ message }) => {
    log.error("encoder.refused", { name, error: message });
    say("not-encoding", `no longer encoding: ${message} (worker.name)`, { name });
    await agent.stop();
  });
  return agent;
}

export interface AgentGiven {
  readonly speaker: Speaker;
  readonly work: string;
  readonly slots: number;
  readonly log: Log;
  readonly ffmpeg?: string | undefined;
  readonly ffprobe?: string | undefined;
  readonly threads?: number | undefined;
  readonly refused?: (why: SluiceError) => void;
}

/** What an earlier life of it left is looked after first: what went on is found again, and the rest is ended. */
export async function makeAgent(given: AgentGiven): Promise<EncodingAgent> {
  const { speaker, work, slots, log, ffmpeg, ffprobe, threads, refused } = given;
  const options = {
    ...{ work: path.join(work, "jobs"), slots },
    ...(ffmpeg === undefined ? {} : { ffmpeg }),
    ...(ffprobe === undefined ? {} : { ffprobe }),
    ...(threads === undefined ? {} : { limits: { threads } }),
  };
  await mkdir(options.work, { recursive: true, mode: 0o700 });
  const encoder = ffmpegEncoder(options);
  const { alive, lost } = await encoder.recover();
  if (alive.length + lost.length > 0) log.info("encoder.recovered", { alive: alive.length, lost: lost.length });
  return new EncodingAgent({
    ...{ speaker, encoder, work, slots, log, clock: systemClock, random: systemRandom },
    about: () => ffmpegEncoder(options).about(),
    version: await packageVersion(),
    ...(refused === undefined ? {} : { refused }),
  });
}

/** A host may be called anything; an encoder is not. Pure. */
export function encoderName(text: string): string {
  const plain = text.replaceAll(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  return plain.slice(0, 63) || "encoder";
}
