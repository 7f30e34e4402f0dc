// What an encoding does, as a line that people read. Pure.

import type { EncodingView } from "../../../../../src/server/contract/wire.ts";
import { words } from "../../../text/words.ts";

const { told, codecShort } = words.settings.delivery.encodings;

export function encodingWords(of: EncodingView): string {
  const { codec, crf, preset, maxHeight, container, keepLarger } = of;
  return [
    told.picture(codecShort[codec], crf, String(preset)),
    told.height(maxHeight),
    container.toUpperCase(),
    soundWords(of.audio),
    subtitleWords(of.subtitles),
    ...(keepLarger ? [told.larger] : []),
  ].join(" · ");
}

function soundWords({ codec, keep, kbps }: EncodingView["audio"]): string {
  return told.sound(codec === "copy" ? told.sounds.copy : told.sounds[codec](kbps), keep);
}

const subtitleWords = (kept: EncodingView["subtitles"]): string =>
  typeof kept === "string" ? told.subtitles[kept] : told.subtitles.some(kept);
