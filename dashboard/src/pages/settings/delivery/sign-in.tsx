// How one gets in at a server: as whom, and with a password or a private key.

import { useState } from "react";
import type { ServerView } from "../../../../../src/server/contract/wire.ts";
import { words } from "../../../text/words.ts";
import { Choice, FIELD, Labelled, TextField } from "../../../ui/field.tsx";
import { SecretField } from "../media/fields.tsx";

const own = words.settings.delivery.servers;
const { secret } = words.settings.media;
const WAYS = (["password", "key"] as const).map((value) => ({ value, label: own.ways[value] }));

export function SignIn({ of }: { readonly of: ServerView | undefined }) {
  const [way, setWay] = useState(of?.hasPrivateKey === true ? "key" : "password");
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-[1fr_7rem]">
        <TextField
          label={own.host}
          name="host"
          required
          maxLength={253}
          autoComplete="off"
          autoCapitalize="none"
          defaultValue={of?.host ?? ""}
        />
        <TextField
          label={own.port}
          name="port"
          type="number"
          min={1}
          max={65_535}
          required
          defaultValue={of?.port ?? 22}
        />
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={own.username}
          name="username"
          required
          maxLength={200}
          autoComplete="off"
          autoCapitalize="none"
          defaultValue={of?.username ?? ""}
        />
        <Choice label={own.way} name="way" value={way} onChange={({ target }) => setWay(target.value)} options={WAYS} />
      </div>
      {way === "key" ? (
        <PrivateKey isSet={of?.hasPrivateKey ?? false} />
      ) : (
        <SecretField label={own.password} name="password" isNeeded isSet={of?.hasPassword ?? false} />
      )}
    </>
  );
}

/** Goes in and never comes out, like every secret; only that it has lines. */
function PrivateKey({ isSet }: { readonly isSet: boolean }) {
  return (
    <Labelled label={own.key}>
      <textarea
        name="privateKey"
        rows={4}
        maxLength={20_000}
        required={!isSet}
        autoComplete="off"
        spellCheck={false}
        placeholder={isSet ? secret.keep : secret.isNot}
        className={`${FIELD} py-2 font-mono text-xs`}
      />
    </Labelled>
  );
}
