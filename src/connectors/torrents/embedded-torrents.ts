// The embedded client as a stage sees it. BitTorrent itself is another process: it neither shares this one's event loop nor its end.

import { type Fault, permanent, transient } from "../../engine/index.ts";
import { safeText } from "../../kit/index.ts";
import { type Answer, type GuardedClient, type GuardedClientOptions, guardedClient, readJson } from "../kit/index.ts";
import { AboutAnswer, AddAnswer, FilesAnswer, LookAnswer } from "./embedded-api.ts";
import { infohashOf } from "./infohash.ts";
import { checkNewTorrent, checkTag } from "./tags.ts";
import type { NewTorrent, Torrents } from "./torrents.ts";

export interface EmbeddedTorrentsOptions extends Pick<GuardedClientOptions, "service" | "clock"> {
  /** Where `sluice torrents` listens: http://127.0.0.1:7471/ */
  readonly baseUrl: string;
  /** What stands in the file `token` of its folder. */
  readonly token: string;
  readonly limits?: GuardedClientOptions["limits"];
}

/** A .torrent of the largest size that is taken, in base 64, and what stands around it. */
const REQUEST_BYTES = 16 * 1024 * 1024;

export function embeddedTorrents({ token, limits, ...options }: EmbeddedTorrentsOptions): Torrents {
  const headers = { authorization: `Bearer ${token}` };
  const all = { totalMs: 30_000, answerBytes: 64 * 1024 * 1024, requestBytes: REQUEST_BYTES, ...limits };
  const http = guardedClient({ ...options, egress: "lan", redirects: "none", headers, limits: all });
  return {
    about: (signal) => http.json({ url: "about", signal }, AboutAnswer),
    add: (torrent, signal) => add(http, torrent, signal),
    async look(signal) {
      const { torrents } = await http.json({ url: "torrents", signal }, LookAnswer);
      return new Map(torrents.map((torrent) => [torrent.infohash, torrent]));
    },
    async files(infohash, signal) {
      const url = `torrents/${encodeURIComponent(infohash)}/files`;
      const answer = await http.send({ url, signal });
      const { service } = http;
      if (answer.status === 404)
        throw transient("TORRENT_GONE", `${service} has no torrent ${infohash}`, { service, breaker: "success" });
      if (answer.status >= 300) throw http.faultOf(answer, "GET torrents/…/files");
      return (await readJson(answer, FilesAnswer, service)).files;
    },
    async nudge(infohash, signal) {
      await http.ok({ method: "POST", url: `torrents/${encodeURIComponent(infohash)}/nudge`, signal });
    },
    async release(infohash, tag, { withFiles }, signal) {
      checkTag(tag);
      const url = `torrents/${encodeURIComponent(infohash)}/tags/${encodeURIComponent(tag)}?withFiles=${withFiles}`;
      await http.ok({ method: "DELETE", url, signal });
    },
  };
}

async function add(
  http: GuardedClient,
  torrent: NewTorrent,
  signal?: AbortSignal,
): Promise<{ readonly wasThere: boolean }> {
  checkNewTorrent(torrent);
  const { infohash, source, tag, folder } = torrent;
  const { service } = http;
  const found = infohashOf(source);
  if (found !== infohash)
    throw permanent("WRONG_TORRENT", `the torrent is ${found} and not ${infohash}`, { service, breaker: "none" });
  const what =
    source.file === undefined ? { magnet: source.magnet } : { file: Buffer.from(source.file).toString("base64") };
  const answer = await http.send({ method: "POST", url: "torrents", json: { infohash, tag, folder, ...what }, signal });
  if (answer.status === 422) throw refusal(answer, service);
  if (answer.status >= 300) throw http.faultOf(answer, "POST torrents");
  return await readJson(answer, AddAnswer, service);
}

/** What no trying again helps against, in the other side's words: "CODE: why". */
function refusal(answer: Answer, service: string): Fault {
  const said = answer.body.toString("utf8", 0, 1_000);
  const [, code = "NOT_A_TORRENT", why = said] = /^([A-Z][A-Z0-9_]*): (.*)$/s.exec(said) ?? [];
  return permanent(code, `${service} refuses the torrent: ${safeText(why, 500)}`, { service });
}
