// `sluice encoder`: encodes on this machine for a server elsewhere.

import { hostname } from "node:os";
import path from "node:path";
import { httpSpeaker } from "../../apps/media/index.ts";
import type { SluiceError } from "../../engine/index.ts";
import { InputError } from "../../kit/index.ts";
import { CommandError, EXIT, UsageError } from "../exit.ts";
import { encoderName, makeAgent } from "../local-encoder.ts";
import { makeLog } from "../log.ts";
import { makeSay } from "../say.ts";
import { stopSignal } from "../stop-signal.ts";
import { type Call, textOption } from "./call.ts";

export async function encoder({ options, out }: Call): Promise<undefined> {
  const { server, token, name, slots, work, ...programs } = encoderSettings(options, process.env);
  const say = makeSay(out);
  const log = makeLog({ level: textOption(options, "logLevel") });
  const stop = stopSignal({ withParent: true });
  const refused = Promise.withResolvers<SluiceError>();
  const agent = await makeAgent({
    ...{ ...programs, work, slots, log, refused: refused.resolve },
    speaker: speakerFor({ server, token, name }),
  });
  say("encoding", `encoding for ${server} as ${name}, ${slots} at a time; what it needs meanwhile is in ${work}`, {
    ...{ server, name, slots, work },
  });
  await agent.start();
  const told = await Promise.race([stop.told, refused.promise]);
  if (typeof told === "string")
    say("stopping", `${told}: ending what is being encoded; others go on with it`, { signal: told });
  await agent.stop();
  if (typeof told === "string") return undefined;
  throw refusal(told, server);
}

function speakerFor(options: { readonly server: string; readonly token: string; readonly name: string }) {
  try {
    return httpSpeaker(options);
  } catch (error) {
    if (error instanceof InputError) throw new UsageError(error.message, "sluice encoder --server http://nas:7470");
    throw error;
  }
}

function refusal(why: SluiceError, server: string): CommandError {
  if (why.code === "AUTH")
    return new CommandError(
      EXIT.notAllowed,
      `${server} does not take this key`,
      "sluice key create enc --scopes encode",
    );
  if (why.code === "KEY_OF_ANOTHER")
    return new CommandError(EXIT.notAllowed, why.message, "sluice key create <its name> --scopes encode");
  if (why.code === "HTTP_404")
    return new CommandError(EXIT.notFound, `${server} does not encode films`, "start it with --apps media");
  return new CommandError(EXIT.refused, why.message, "give it another name: --name");
}

export interface EncoderSettings {
  readonly server: string;
  readonly token: string;
  readonly name: string;
  readonly slots: number;
  readonly work: string;
  readonly ffmpeg?: string | undefined;
  readonly ffprobe?: string | undefined;
  readonly threads?: number | undefined;
}

/** What was typed → what the encoder is told. Pure, but for the name of this machine. */
export function encoderSettings(
  options: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>>,
): EncoderSettings {
  const server = textOption(options, "server") ?? env.SLUICE_URL;
  const token = textOption(options, "token") ?? env.SLUICE_API_KEY;
  const usage = "sluice encoder --server http://nas:7470 --token slk_…";
  if (server === undefined || server === "") throw new UsageError("sluice encoder needs --server or SLUICE_URL", usage);
  if (token === undefined || token === "")
    throw new UsageError("sluice encoder needs --token or SLUICE_API_KEY: a key with the scope encode", usage);
  const named = textOption(options, "name");
  if (named !== undefined && encoderName(named) !== named)
    throw new UsageError(`--name: letters, digits, . _ and -, 63 at most, got "${named}"`, usage);
  return {
    ...{ server, token, name: named ?? encoderName(hostname()) },
    slots: whole(options, "slots", 1_000) ?? 5,
    work: path.resolve(textOption(options, "work") ?? "sluice-encoder"),
    ffmpeg: textOption(options, "ffmpeg"),
    ffprobe: textOption(options, "ffprobe"),
    threads: whole(options, "threads", 1_000),
  };
}

function whole(options: Readonly<Record<string, unknown>>, name: string, highest: number): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === "" || !Number.isInteger(value) || value < 1 || value > highest)
    throw new UsageError(`--${name} is a whole number from 1 to ${highest}, got "${text}"`, "sluice encoder --help");
  return value;
}
