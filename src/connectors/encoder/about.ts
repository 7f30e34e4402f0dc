// What the ffmpeg of this machine is, and what it really can: what it lists may lack a library or a device, so each makes a picture.

import { unavailable } from "../../engine/index.ts";
import { canRun, startProcess } from "../kit/index.ts";
import { ENCODERS } from "./args.ts";
import type { EncoderAbout } from "./encoder.ts";

export type Abilities = Pick<EncoderAbout, "version" | "codecs" | "audioCodecs">;

const TRY_MS = 20_000;
const QUIET = ["-nostdin", "-v", "error", "-f", "lavfi"];
const PICTURE = [...QUIET, "-i", "color=black:size=64x64:rate=1:duration=1", "-frames:v", "1"];
const SOUND = [...QUIET, "-i", "anullsrc=duration=0.1"];
const NOWHERE = ["-f", "null", "-"];

export async function abilitiesOf(ffmpeg: string, ffprobe: string, signal?: AbortSignal): Promise<Abilities> {
  const version = await versionOf(ffmpeg, signal);
  await versionOf(ffprobe, signal);
  const can = async <Codec extends keyof typeof ENCODERS>(codecs: readonly Codec[], source: readonly string[]) => {
    const flag = source === PICTURE ? "-c:v" : "-c:a";
    const command = (codec: Codec) => [ffmpeg, ...source, flag, ENCODERS[codec], ...NOWHERE];
    const able = await Promise.all(codecs.map((codec) => canRun(command(codec), signal)));
    return codecs.filter((_, at) => able[at]);
  };
  const [codecs, audioCodecs] = await Promise.all([can(["h264", "hevc", "av1"], PICTURE), can(["aac", "opus"], SOUND)]);
  return { version, codecs, audioCodecs };
}

/** "ffmpeg version 5.1.9-0+deb12u1 Copyright (c) …" */
async function versionOf(program: string, signal: AbortSignal | undefined): Promise<string> {
  const child = await startProcess({ program, args: ["-version"], wallMs: TRY_MS, signal });
  const { output, fault } = await child.ended;
  if (fault !== undefined) throw fault;
  const version = / version (\S+)/.exec(output.slice(0, 200))?.[1];
  if (version === undefined) throw unavailable("PROGRAM_MISSING", `${program} does not say a version of ffmpeg`);
  return version;
}
