import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ClientView } from "../../../../../src/server/contract/wire.ts";
import { mediaQueries } from "../../../api/media.ts";
import { words } from "../../../text/words.ts";
import { Choice, TextField } from "../../../ui/field.tsx";
import { PriorityField, SecretField, Tick } from "./fields.tsx";
import { clientIn } from "./given.ts";
import { Told } from "./indexers.tsx";
import { PathRows } from "./path-rows.tsx";
import { type FormProps, SetList } from "./set-list.tsx";
import { SettingForm } from "./setting-form.tsx";

const texts = words.settings.media;
const own = texts.clients;
type Kind = ClientView["kind"];
const KINDS = (["qbittorrent", "embedded"] as const).map((value) => ({ value, label: own.kinds[value] }));

export function Clients() {
  const query = useQuery(mediaQueries.clients());
  return (
    <SetList
      set="clients"
      query={query}
      texts={own}
      canTest
      tell={(one) => <ClientTold of={one} />}
      form={(props) => <ClientForm {...props} />}
    />
  );
}

function ClientTold({ of }: { readonly of: ClientView }) {
  const { kind, url, hasPassword, paths } = of;
  return (
    <>
      <Told
        of={of}
        url={`${own.kinds[kind]}, ${url ?? own.own}`}
        secret={url === null ? null : hasPassword}
        label={kind === "embedded" ? own.token : own.password}
      />
      {paths.map(({ theirs, ours }) => (
        <p key={theirs} className="text-sm text-soft wrap-anywhere" dir="auto">
          {own.path(theirs, ours)}
        </p>
      ))}
    </>
  );
}

function ClientForm({ of, taken, onDone }: FormProps<ClientView>) {
  const [kind, setKind] = useState<Kind>(of?.kind ?? "qbittorrent");
  const isOwn = kind === "embedded";
  return (
    <SettingForm set="clients" name={of?.name} taken={taken} bodyOf={clientIn} canTest onDone={onDone}>
      <Choice
        label={own.kind}
        name="kind"
        value={kind}
        onChange={({ target }) => setKind(target.value === "embedded" ? "embedded" : "qbittorrent")}
        options={KINDS}
      />
      <TextField
        label={isOwn ? own.addressEmbedded : texts.address}
        name="url"
        type="url"
        required={!isOwn}
        maxLength={500}
        autoComplete="off"
        defaultValue={of?.url ?? ""}
      />
      {isOwn ? null : (
        <TextField
          label={own.username}
          name="username"
          maxLength={200}
          autoComplete="off"
          autoCapitalize="none"
          defaultValue={of?.username ?? ""}
        />
      )}
      <SecretField label={isOwn ? own.token : own.password} name="password" isSet={of?.hasPassword ?? false} />
      <TextField
        label={own.folder}
        name="folder"
        maxLength={1_000}
        autoComplete="off"
        defaultValue={of?.folder ?? ""}
      />
      <PathRows paths={of?.paths ?? []} />
      <PriorityField priority={of?.priority ?? 25} />
      <Tick label={texts.isOn} name="isOn" isOn={of?.isOn ?? true} />
    </SettingForm>
  );
}
