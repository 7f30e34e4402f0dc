import { useQuery } from "@tanstack/react-query";
import type { Account } from "../../../../src/server/contract/wire.ts";
import { enc } from "../../api/ask.ts";
import { useDeed } from "../../api/deed.ts";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { Choice, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Loaded, Panel } from "../../ui/panel.tsx";
import { Wrong } from "../../ui/wrong.tsx";

const texts = words.settings.people;
const ROLES = (["admin", "member", "viewer"] as const).map((value) => ({ value, label: texts.roles[value] }));

export function People() {
  const query = useQuery(queries.accounts());
  return (
    <Panel title={words.settings.tabs.people}>
      <Loaded query={query} what={words.settings.tabs.people}>
        {({ entries }) => (
          <ul className="divide-y divide-line">
            {entries.map((account) => (
              <Line key={account.name} account={account} />
            ))}
          </ul>
        )}
      </Loaded>
      <NewAccount />
    </Panel>
  );
}

function Line({ account: { name, role, disabledAt } }: { readonly account: Account }) {
  const deed = useDeed();
  const change = (body: object) => deed.mutate({ path: `/api/v1/accounts/${enc(name)}`, method: "PATCH", body });
  return (
    <li className="flex flex-wrap items-end gap-3 px-4 py-2">
      <span className="min-w-32 self-center font-medium" dir="auto">
        {name} {disabledAt === null ? null : <span className="text-sm font-normal text-failed">{texts.isOut}</span>}
      </span>
      <Form error={null} className="flex flex-wrap items-end gap-2" onGiven={(given) => change({ role: given.role })}>
        <Choice
          key={role}
          label={texts.role}
          aria-label={texts.roleOf(name)}
          name="role"
          defaultValue={role}
          options={ROLES}
        />
        <Button type="submit" disabled={deed.isPending} aria-label={texts.saveRole(name)}>
          {words.settings.save}
        </Button>
      </Form>
      <Button
        disabled={deed.isPending}
        kind={disabledAt === null ? "danger" : "plain"}
        onClick={() => change({ disabled: disabledAt === null })}
      >
        {disabledAt === null ? texts.shutOut : texts.letIn}
      </Button>
      {deed.isSuccess ? (
        <p role="status" className="self-center text-sm">
          {words.settings.saved}
        </p>
      ) : null}
      <Wrong error={deed.error} />
    </li>
  );
}

function NewAccount() {
  const deed = useDeed();
  return (
    <Form
      error={deed.error}
      className="grid gap-3 border-t border-line p-4 sm:grid-cols-[1fr_1fr_1fr_auto] sm:items-end"
      onGiven={(body, form) => deed.mutate({ path: "/api/v1/accounts", body }, { onSuccess: () => form.reset() })}
    >
      <TextField label={texts.name} name="name" required maxLength={40} autoCapitalize="none" autoComplete="off" />
      <Choice label={texts.role} name="role" defaultValue="member" options={ROLES} />
      <TextField
        label={texts.password}
        name="password"
        type="password"
        required
        minLength={12}
        autoComplete="new-password"
      />
      <Button type="submit" disabled={deed.isPending}>
        {words.settings.add}
      </Button>
    </Form>
  );
}
