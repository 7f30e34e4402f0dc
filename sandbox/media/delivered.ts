// Whether what lies at the servers is what was asked for. What was sent as it was found is known by the sum of its bytes. What was encoded
// is known by the mark of what it was made of, is as long as that, and is the same wherever the same encoding was asked for.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { wanted } from "../../src/apps/media/index.ts";
import { type EncodingProfile, videoProbe } from "../../src/connectors/index.ts";
import type { ItemView } from "../../src/engine/index.ts";
import type { Stock } from "./stock.ts";
import { askedOf, sumOf, wrongWith } from "./truth.ts";

export interface JudgedDelivery {
  /** As the stock calls it. */
  readonly asked: string;
  readonly server: string;
  /** What really lies there, which may be the source where an encode was not worth it. */
  readonly encoding: string | null;
  /** Below the server's root. */
  readonly path: string;
  readonly sha256: string;
  /** In words; null where nothing is wrong. */
  readonly wrong: string | null;
}

const sent = z.object({ path: z.string(), sha256: z.string() });
const outputs = z.object({
  download: z.object({ path: z.string() }),
  encode: z.object({ outputs: z.record(z.string(), z.object({ kind: z.string() })).default({}) }).optional(),
  deliver: z.object({ outputs: z.record(z.string(), sent).default({}) }).optional(),
});
type Outputs = z.infer<typeof outputs>;

export interface Shelves {
  readonly stock: Stock;
  /** Where the files of each server lie. */
  readonly shelves: ReadonlyMap<string, string>;
}

/** Of an item of the media pipeline that is done: one for each of its targets. */
export async function judgeDeliveries(
  world: Shelves,
  item: Pick<ItemView, "input" | "outputs">,
): Promise<readonly JudgedDelivery[]> {
  const { targets, encodings } = wanted.parse(item.input);
  const out = outputs.parse(item.outputs);
  const judged: JudgedDelivery[] = [];
  for (const { name, encoding } of targets) {
    const isMade = encoding !== null && out.encode?.outputs[encoding]?.kind === "made";
    const profile = isMade ? encodings.find((one) => one.name === encoding) : undefined;
    judged.push(await judgeOne(world, { asked: askedOf(item), server: name, profile, out }));
  }
  return judged.map((one) => ({ ...one, wrong: one.wrong ?? unlike(one, judged) }));
}

interface Target {
  readonly asked: string;
  readonly server: string;
  /** Undefined of what was sent as it was found. */
  readonly profile: EncodingProfile | undefined;
  readonly out: Outputs;
}

async function judgeOne({ stock, shelves }: Shelves, { asked, server, profile, out }: Target): Promise<JudgedDelivery> {
  const told = out.deliver?.outputs[server];
  const { path = "", sha256: said = "" } = told ?? {};
  const judged = { asked, server, path, encoding: profile?.name ?? null };
  const file = join(shelves.get(server) ?? "", path);
  const sha256 = told === undefined ? null : await sumOf(file);
  if (sha256 === null) return { ...judged, sha256: "", wrong: `${asked} is not at ${server}` };
  if (sha256 !== said) return { ...judged, sha256, wrong: `${file} is not what was sent` };
  const made = profile === undefined ? stock.fileOf(sha256) : stock.markedFile(await markIn(file));
  const wrong = wrongWith(made, asked, file) ?? (profile === undefined ? null : await unfinished(file, profile, out));
  return { ...judged, sha256, wrong };
}

/** One encode goes to everybody who wants it. */
function unlike({ asked, server, encoding, sha256 }: JudgedDelivery, all: readonly JudgedDelivery[]): string | null {
  const other = all.find((one) => one.encoding === encoding && one.sha256 !== sha256);
  return other === undefined ? null : `${asked} at ${server} and at ${other.server} are not the same`;
}

const run = promisify(execFile);
const PROBE = { timeout: 60_000 };

/** Its title, inside. */
async function markIn(file: string): Promise<string> {
  const asked = ["-v", "error", "-show_entries", "format_tags=title", "-of", "default=nw=1:nk=1", file];
  return (await run("ffprobe", asked, PROBE)).stdout.trim();
}

const SHORTER_MS = 1_000;

/** As long as its source, in the right codec, and no higher than it may be. */
async function unfinished(
  file: string,
  { codec, maxHeight }: EncodingProfile,
  { download }: Outputs,
): Promise<string | null> {
  const probe = videoProbe();
  const [source, made] = [await probe.facts(download.path), await probe.facts(file)];
  const film = made.streams.find(({ kind, isPicture }) => kind === "video" && !isPicture);
  if (film?.codec !== codec) return `${file} is ${film?.codec ?? "no film"}, and not ${codec}`;
  if ((film.height ?? 0) > (maxHeight ?? Number.POSITIVE_INFINITY)) return `${file} is ${film.height} high`;
  const isWhole = (made.lastPacketMs ?? 0) >= (source.lastPacketMs ?? Number.POSITIVE_INFINITY) - SHORTER_MS;
  return isWhole ? null : `${file} ends after ${made.lastPacketMs} ms, and its source after ${source.lastPacketMs} ms`;
}
