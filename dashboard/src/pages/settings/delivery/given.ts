// What the forms of servers and encodings say, as the server takes it. Pure.

import type { EncodingSetting, ServerSetting } from "../../../../../src/server/contract/wire.ts";
import type { Given } from "../../../ui/form.tsx";
import { listIn, orNull, secretIn } from "../media/given.ts";
import { codecIn } from "./encoding-choices.ts";

/** People count in millions of bytes. */
const MB = 1_000_000;
export const toMb = (bytesPerSecond: number): number => bytesPerSecond / MB;

export function serverIn(given: Given): ServerSetting {
  const isFar = given.kind === "sftp";
  const bandwidth = orNull(given.bandwidth);
  return {
    kind: isFar ? "sftp" : "folder",
    host: isFar ? orNull(given.host) : null,
    port: isFar ? Number(given.port) : 22,
    username: isFar ? orNull(given.username) : null,
    ...(isFar ? wayIn(given) : {}),
    root: given.root?.trim() ?? "",
    films: given.films?.trim() ?? "",
    series: given.series?.trim() ?? "",
    bytesPerSecond: bandwidth === null ? null : Math.round(Number(bandwidth) * MB),
    encoding: orNull(given.encoding),
    isDefault: given.isDefault === "on",
    mediaServer: mediaServerIn(given),
  };
}

/** What is not typed stays as it is; giving the one takes the other away. */
function wayIn(given: Given): Pick<ServerSetting, "password" | "privateKey"> {
  if (given.way !== "key") return secretIn(given, "password");
  const key = given.privateKey?.trim() ?? "";
  // The last line of a key ends, too: ssh-keygen is particular about it.
  return key === "" ? {} : { privateKey: `${key}\n` };
}

const MEDIA_SERVERS = ["jellyfin", "emby", "plex"] as const;

function mediaServerIn(given: Given): ServerSetting["mediaServer"] {
  const kind = MEDIA_SERVERS.find((one) => one === given.mediaServer);
  if (kind === undefined) return null;
  const key = given.mediaKey ?? "";
  return {
    kind,
    url: given.mediaUrl?.trim() ?? "",
    ...(key === "" ? {} : { key }),
    root: given.mediaRoot?.trim() ?? "",
  };
}

const SOUNDS = ["copy", "aac", "opus"] as const;

export function encodingIn(given: Given): EncodingSetting {
  const codec = codecIn(given.codec);
  const kept = listIn(given.audioKeep);
  const height = orNull(given.maxHeight);
  return {
    codec,
    crf: Number(given.crf),
    preset: codec === "av1" ? Number(given.preset) : (given.preset ?? ""),
    container: given.container === "mp4" ? "mp4" : "mkv",
    maxHeight: height === null ? null : Number(height),
    audio: {
      keep: kept.length === 0 ? "all" : kept,
      codec: SOUNDS.find((one) => one === given.audioCodec) ?? "copy",
      kbps: Number(given.audioKbps),
    },
    subtitles: subtitlesIn(given),
    keepLarger: given.keepLarger === "on",
  };
}

function subtitlesIn(given: Given): EncodingSetting["subtitles"] {
  if (given.subtitles === "none") return "none";
  return given.subtitles === "some" ? listIn(given.subtitleLanguages) : "all";
}
