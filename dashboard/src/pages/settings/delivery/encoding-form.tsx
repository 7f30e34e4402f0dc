// What a film is made into: each choice in words, with the usual one of that format chosen already.

import { useState } from "react";
import type { EncodingView } from "../../../../../src/server/contract/wire.ts";
import { words } from "../../../text/words.ts";
import { Choice, TextField } from "../../../ui/field.tsx";
import { Tick } from "../media/fields.tsx";
import type { FormProps } from "../media/set-list.tsx";
import { SettingForm } from "../media/setting-form.tsx";
import { CODECS, type Codec, codecIn, crfOf, heightsWith, presetsOf, usualPreset } from "./encoding-choices.ts";
import { encodingIn } from "./given.ts";

const own = words.settings.delivery.encodings;
const CODEC_CHOICES = CODECS.map((value) => ({ value, label: own.codecs[value] }));
const CONTAINERS = (["mkv", "mp4"] as const).map((value) => ({ value, label: own.containers[value] }));
const SOUNDS = (["copy", "aac", "opus"] as const).map((value) => ({ value, label: own.audioCodecs[value] }));
const SUBTITLES = (["all", "none", "some"] as const).map((value) => ({ value, label: own.subtitleKinds[value] }));

export function EncodingForm({ of, taken, onDone }: FormProps<EncodingView>) {
  const [codec, setCodec] = useState<Codec>(of?.codec ?? "h264");
  return (
    <SettingForm set="encodings" name={of?.name} taken={taken} bodyOf={encodingIn} canTest={false} onDone={onDone}>
      <Choice
        label={own.codec}
        name="codec"
        value={codec}
        onChange={({ target }) => setCodec(codecIn(target.value))}
        options={CODEC_CHOICES}
      />
      {/* Each format counts its quality and pains by itself: what was chosen for one says nothing of another. */}
      <Picture key={codec} codec={codec} of={of?.codec === codec ? of : undefined} />
      <div className="grid gap-3 sm:grid-cols-2">
        <Choice
          label={own.maxHeight}
          name="maxHeight"
          defaultValue={of?.maxHeight ?? ""}
          options={heightsWith(of?.maxHeight ?? null)}
        />
        <Choice label={own.container} name="container" defaultValue={of?.container ?? "mkv"} options={CONTAINERS} />
      </div>
      <Sound of={of} />
      <Subtitles of={of} />
      <Tick label={own.keepLarger} name="keepLarger" isOn={of?.keepLarger ?? false} />
    </SettingForm>
  );
}

interface PictureProps {
  readonly codec: Codec;
  readonly of: EncodingView | undefined;
}

function Picture({ codec, of }: PictureProps) {
  const { usual, most } = crfOf(codec);
  return (
    <div className="grid gap-3 sm:grid-cols-2 sm:items-end">
      <TextField
        label={own.crf(usual, most)}
        name="crf"
        type="number"
        min={1}
        max={most}
        step={1}
        required
        defaultValue={of?.crf ?? usual}
      />
      <Choice
        label={own.preset}
        name="preset"
        defaultValue={of?.preset ?? usualPreset(codec)}
        options={presetsOf(codec)}
      />
    </div>
  );
}

function Sound({ of }: { readonly of: EncodingView | undefined }) {
  const keep = of?.audio.keep ?? "all";
  const [codec, setCodec] = useState<string>(of?.audio.codec ?? "copy");
  return (
    <div className="grid gap-3 sm:grid-cols-2 sm:items-end">
      <Choice
        label={own.audio}
        name="audioCodec"
        value={codec}
        onChange={({ target }) => setCodec(target.value)}
        options={SOUNDS}
      />
      {/* What a file cannot hold is made anew also where the rest is copied. */}
      <TextField
        label={own.audioKbps}
        name="audioKbps"
        type="number"
        min={32}
        max={512}
        step={1}
        required
        defaultValue={of?.audio.kbps ?? 160}
      />
      <TextField
        label={own.audioKeep}
        name="audioKeep"
        autoComplete="off"
        autoCapitalize="none"
        defaultValue={keep === "all" ? "" : keep.join(", ")}
      />
    </div>
  );
}

function Subtitles({ of }: { readonly of: EncodingView | undefined }) {
  const kept = of?.subtitles ?? "all";
  const [which, setWhich] = useState<string>(typeof kept === "string" ? kept : "some");
  return (
    <div className="grid gap-3 sm:grid-cols-2 sm:items-end">
      <Choice
        label={own.subtitles}
        name="subtitles"
        value={which}
        onChange={({ target }) => setWhich(target.value)}
        options={SUBTITLES}
      />
      {which === "some" ? (
        <TextField
          label={own.subtitleLanguages}
          name="subtitleLanguages"
          required
          autoComplete="off"
          autoCapitalize="none"
          defaultValue={typeof kept === "string" ? "" : kept.join(", ")}
        />
      ) : null}
    </div>
  );
}
