// What is worth a word of a server that something goes to: where it lies there, how large, and whether people there know. Pure.

import type { MediaTarget } from "../../../../src/server/contract/wire.ts";
import { bytes } from "../../text/format.ts";
import { words } from "../../text/words.ts";

const texts = words.media.targets;

export function targetFacts({ state, bytes: whole, sentBytes, mediaServer }: MediaTarget): string[] {
  return [
    ...(whole === null ? [] : [bytes(whole)]),
    ...(state === "delivered" && whole !== null && sentBytes !== null && sentBytes < whole
      ? [sentBytes === 0 ? texts.there : texts.resumed(bytes(sentBytes))]
      : []),
    ...(mediaServer === null ? [] : [mediaServer.ok ? texts.told : texts.notTold(mediaServer.sentence ?? "")]),
  ];
}

export const failedOf = (targets: readonly MediaTarget[]): readonly MediaTarget[] =>
  targets.filter(({ state }) => state === "failed");
