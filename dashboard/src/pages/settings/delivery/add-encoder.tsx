// How one more encoder is added: a token that can do nothing else, and the line that starts it, to be copied.

import { Dialog } from "@base-ui/react/dialog";
import type { MadeKey } from "../../../../../src/server/contract/wire.ts";
import { useDeed } from "../../../api/deed.ts";
import { words } from "../../../text/words.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";

const own = words.settings.delivery.encoders.adding;

export const encoderLine = (server: string, token: string): string =>
  `sluice encoder --server ${server} --token ${token}`;

export function AddEncoder() {
  const deed = useDeed<MadeKey>();
  const token = deed.data?.key ?? null;
  const line = encoderLine(window.location.origin, token ?? "TOKEN");
  return (
    <div className="space-y-4">
      <p>{own.about}</p>
      {token === null ? (
        <Form
          error={deed.error}
          className="grid gap-3 sm:grid-cols-[1fr_auto] sm:items-end"
          onGiven={({ name = "" }) => deed.mutate({ path: "/api/v1/keys", body: { name, scopes: ["encode"] } })}
        >
          <TextField label={own.token} name="name" required maxLength={100} defaultValue={own.tokenName} />
          <Button type="submit" kind="main" disabled={deed.isPending}>
            {own.make}
          </Button>
        </Form>
      ) : null}
      <div className="space-y-1">
        <p role="status" className="text-sm">
          {token === null ? own.before : own.made}
        </p>
        <p className="flex items-start gap-2 rounded-md bg-sunk px-3 py-2">
          <code className="min-w-0 grow wrap-anywhere">{line}</code>
          {token === null ? null : <CopyButton text={line} label={own.copy} />}
        </p>
      </div>
      <p className="text-sm text-soft">{own.revoke}</p>
      <div className="flex justify-end">
        <Dialog.Close render={<Button>{words.back}</Button>} />
      </div>
    </div>
  );
}
