// How a torrent is handed to qBittorrent, and what it says to that.

import { transient } from "../../../engine/index.ts";
import type { Answer, GuardedRequest } from "../../kit/index.ts";
import { OWN_TAG } from "../tags.ts";
import type { NewTorrent } from "../torrents.ts";

/** Everything that its user may have set otherwise is said. */
export async function addRequest({ source, tag, folder }: NewTorrent): Promise<GuardedRequest> {
  const form = new FormData();
  if (source.magnet === undefined) {
    // A copy: what is sent must not change while it is sent.
    form.append("torrents", new Blob([new Uint8Array(source.file)], { type: "application/x-bittorrent" }), "a.torrent");
  } else form.append("urls", source.magnet);
  const fields = {
    savepath: folder,
    // Without it the folder is ignored by those whose user has torrents managed by category.
    autoTMM: "false",
    tags: `${OWN_TAG},${tag}`,
    contentLayout: "Original",
    stopCondition: "None",
    // One word up to 4.6, the other from 5.0; the wrong one is ignored, and the user's own setting counts.
    paused: "false",
    stopped: "false",
  };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const encoded = new Response(form);
  return {
    method: "POST",
    url: "torrents/add",
    headers: { "content-type": encoded.headers.get("content-type") ?? "" },
    body: new Uint8Array(await encoded.arrayBuffer()),
  };
}

/**
 * Whether it took the torrent, by an answer of 200 to 299.
 *
 *   up to 5.1   200 "Ok." or "Fails."
 *   from 5.2    200 with counts, 202 while one is still to come
 */
export function wasTaken(answer: Answer, service: string): boolean {
  if (answer.status === 202) return true;
  const said = answer.body.toString("utf8").trim();
  if (said === "Ok." || said === "Fails.") return said === "Ok.";
  return addedCount(said, service) > 0;
}

function addedCount(said: string, service: string): number {
  try {
    const value: unknown = JSON.parse(said);
    if (typeof value === "object" && value !== null && "success_count" in value) return Number(value.success_count);
  } catch {
    // Said below, in our own words.
  }
  throw transient("BAD_ANSWER", `${service} answered POST torrents/add with something unknown`, { service });
}
