import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Key, MadeKey } from "../../../../src/server/contract/wire.ts";
import { enc } from "../../api/ask.ts";
import { useDeed } from "../../api/deed.ts";
import { usePages } from "../../api/pages.ts";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { AskFirst } from "../../ui/ask-first.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Older } from "../../ui/older.tsx";
import { Empty, Loaded, Panel } from "../../ui/panel.tsx";
import { Ago } from "../../ui/time.tsx";

const texts = words.settings.account;
const SCOPES = ["read", "submit", "operate", "admin", "encode"] as const;
/** A key may do no more than its owner. */
const MAY = { viewer: SCOPES.slice(0, 1), member: SCOPES.slice(0, 3), admin: SCOPES } as const;

export function Keys() {
  const me = useQuery(queries.me());
  const query = usePages<Key>(["keys"], "/api/v1/keys");
  return (
    <Panel title={texts.keys}>
      <Loaded query={query} what={texts.keys}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty>{texts.noKeys}</Empty>
          ) : (
            <>
              <ul className="divide-y divide-line">
                {entries.map((one) => (
                  <Line key={one.id} of={one} isOwn={one.account === me.data?.user} />
                ))}
              </ul>
              <Older pages={query} />
            </>
          )
        }
      </Loaded>
      <NewKey />
    </Panel>
  );
}

function Line({ of, isOwn }: { readonly of: Key; readonly isOwn: boolean }) {
  const { id, name, account, scopes, usedAt, revokedAt } = of;
  return (
    <li className="flex flex-wrap items-center gap-x-4 px-4 py-2">
      <span className="font-medium" dir="auto">
        {name}
      </span>
      <span className="text-sm text-soft">
        {isOwn ? null : <span dir="auto">{texts.keyOf(account)} · </span>}
        {scopes.map((scope) => texts.scopeNames[scope]).join(", ")} ·{" "}
        {usedAt === null ? (
          texts.neverUsed
        ) : (
          <>
            {texts.used} <Ago at={usedAt} />
          </>
        )}
      </span>
      <span className="grow" />
      {revokedAt === null ? (
        <AskFirst
          label={texts.revoke}
          title={texts.revoking(name)}
          about={texts.revokeAbout}
          deed={{ path: `/api/v1/keys/${enc(id)}`, method: "DELETE" }}
        />
      ) : (
        <span className="text-sm text-soft">{texts.revoked}</span>
      )}
    </li>
  );
}

function NewKey() {
  const [made, setMade] = useState<string>();
  const me = useQuery(queries.me());
  const deed = useDeed<MadeKey>(({ key }) => setMade(key ?? undefined));
  return (
    <div className="space-y-3 border-t border-line p-4">
      <Form
        error={deed.error}
        className="grid gap-3 sm:grid-cols-[1fr_auto_auto] sm:items-end"
        onGiven={({ name = "", ...given }) =>
          deed.mutate({ path: "/api/v1/keys", body: { name, scopes: SCOPES.filter((scope) => given[scope] === "on") } })
        }
      >
        <TextField label={texts.keyName} name="name" required maxLength={100} />
        <fieldset className="flex flex-wrap gap-x-4 gap-y-1 pb-2 text-sm">
          <legend className="font-medium">{texts.scopes}</legend>
          {MAY[me.data?.role ?? "viewer"].map((scope) => (
            <label key={scope} className="inline-flex min-h-8 items-center gap-1.5">
              <input type="checkbox" name={scope} defaultChecked={scope === "read"} /> {texts.scopeNames[scope]}
            </label>
          ))}
        </fieldset>
        <Button type="submit" disabled={deed.isPending}>
          {texts.make}
        </Button>
      </Form>
      {made === undefined ? null : (
        <p role="status">
          {texts.made} <code className="rounded bg-sunk px-2 py-1">{made}</code>{" "}
          <CopyButton text={made} label={words.copy.do} />
        </p>
      )}
    </div>
  );
}
