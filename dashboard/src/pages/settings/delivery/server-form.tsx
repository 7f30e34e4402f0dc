// A server: where it is, how one gets in, where things go there, and the media server that is told.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ServerView } from "../../../../../src/server/contract/wire.ts";
import { mediaQueries } from "../../../api/media.ts";
import { words } from "../../../text/words.ts";
import { Choice, TextField } from "../../../ui/field.tsx";
import { SecretField, Tick } from "../media/fields.tsx";
import type { FormProps } from "../media/set-list.tsx";
import { SettingForm } from "../media/setting-form.tsx";
import { serverIn, toMb } from "./given.ts";
import { SignIn } from "./sign-in.tsx";

const texts = words.settings.delivery;
const own = texts.servers;
type MediaKind = NonNullable<ServerView["mediaServer"]>["kind"];
type Kind = ServerView["kind"];
const KINDS = (["folder", "sftp"] as const).map((value) => ({ value, label: own.kinds[value] }));
const MEDIA = ["none", "jellyfin", "emby", "plex"] as const;
const MEDIA_CHOICES = MEDIA.map((value) => ({ value, label: own.mediaServers[value] }));

export function ServerForm({ of, taken, onDone }: FormProps<ServerView>) {
  const [kind, setKind] = useState<Kind>(of?.kind ?? "folder");
  return (
    <SettingForm set="servers" name={of?.name} taken={taken} bodyOf={serverIn} canTest onDone={onDone}>
      <Choice
        label={own.kind}
        name="kind"
        value={kind}
        onChange={({ target }) => setKind(target.value === "sftp" ? "sftp" : "folder")}
        options={KINDS}
      />
      {kind === "sftp" ? <SignIn of={of} /> : null}
      <TextField
        label={own.root}
        name="root"
        required
        maxLength={1_000}
        autoComplete="off"
        autoCapitalize="none"
        defaultValue={of?.root}
      />
      <div className="grid gap-3 sm:grid-cols-2 sm:items-end">
        <TextField label={own.films} name="films" maxLength={255} defaultValue={of?.films ?? "Films"} />
        <TextField label={own.series} name="series" maxLength={255} defaultValue={of?.series ?? "Series"} />
        <Gets encoding={of?.encoding ?? null} />
        <TextField
          label={own.bandwidth}
          name="bandwidth"
          type="number"
          step="any"
          min={0.02}
          defaultValue={of?.bytesPerSecond == null ? "" : toMb(of.bytesPerSecond)}
        />
      </div>
      <MediaServer of={of?.mediaServer ?? null} />
      <Tick label={own.isDefault} name="isDefault" isOn={of?.isDefault ?? taken.length === 0} />
    </SettingForm>
  );
}

/** One that was removed since is still what this server is set to. */
function Gets({ encoding }: { readonly encoding: string | null }) {
  const { data } = useQuery(mediaQueries.encodings());
  const known = data?.entries.map(({ name }) => name) ?? [];
  const names = encoding === null || known.includes(encoding) ? known : [...known, encoding];
  return (
    <Choice
      // What is chosen is there to be chosen only once the list has come.
      key={names.join(" ")}
      label={own.encoding}
      name="encoding"
      defaultValue={encoding ?? ""}
      options={[{ value: "", label: texts.asFound }, ...names.map((name) => ({ value: name, label: name }))]}
    />
  );
}

function MediaServer({ of }: { readonly of: ServerView["mediaServer"] }) {
  const [kind, setKind] = useState<MediaKind | "none">(of?.kind ?? "none");
  return (
    <>
      <Choice
        label={own.mediaServer}
        name="mediaServer"
        value={kind}
        onChange={({ target }) => setKind(MEDIA.find((one) => one === target.value) ?? "none")}
        options={MEDIA_CHOICES}
      />
      {kind === "none" ? null : (
        <div className="grid gap-3 sm:grid-cols-2 sm:items-end">
          <TextField
            label={own.mediaUrl}
            name="mediaUrl"
            type="url"
            required
            maxLength={500}
            autoComplete="off"
            defaultValue={of?.url}
          />
          <SecretField label={own.mediaKey[kind]} name="mediaKey" isNeeded isSet={of?.hasKey ?? false} />
          <TextField
            label={own.mediaRoot}
            name="mediaRoot"
            required
            maxLength={1_000}
            autoComplete="off"
            autoCapitalize="none"
            defaultValue={of?.root}
          />
        </div>
      )}
    </>
  );
}
