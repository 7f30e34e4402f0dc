import type { Account } from "../../../../src/server/contract/wire.ts";
import { enc } from "../../api/ask.ts";
import { type Deed, useDeed } from "../../api/deed.ts";
import { usePages } from "../../api/pages.ts";
import { words } from "../../text/words.ts";
import { AskFirst } from "../../ui/ask-first.tsx";
import { Button } from "../../ui/button.tsx";
import { Choice, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Older } from "../../ui/older.tsx";
import { Loaded, Panel } from "../../ui/panel.tsx";
import { Wrong } from "../../ui/wrong.tsx";

const texts = words.settings.people;
const ROLES = (["admin", "member", "viewer"] as const).map((value) => ({ value, label: texts.roles[value] }));

export function People() {
  const query = usePages<Account>(["accounts"], "/api/v1/accounts");
  return (
    <Panel title={words.settings.tabs.people}>
      <Loaded query={query} what={words.settings.tabs.people}>
        {({ entries }) => (
          <>
            <ul className="divide-y divide-line">
              {entries.map((account) => (
                <Line key={account.name} account={account} />
              ))}
            </ul>
            <Older pages={query} label={words.more} />
          </>
        )}
      </Loaded>
      <NewAccount />
    </Panel>
  );
}

function Line({ account: { name, role, disabledAt } }: { readonly account: Account }) {
  const deed = useDeed();
  const changeTo = (body: object): Deed => ({ path: `/api/v1/accounts/${enc(name)}`, method: "PATCH", body });
  return (
    <li className="flex flex-wrap items-end gap-3 px-4 py-2">
      <span className="min-w-32 self-center font-medium" dir="auto">
        {name} {disabledAt === null ? null : <span className="text-sm font-normal text-failed">{texts.isOut}</span>}
      </span>
      <Form
        error={null}
        className="flex flex-wrap items-end gap-2"
        onGiven={({ role: given }) => deed.mutate(changeTo({ role: given }))}
      >
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
      {disabledAt === null ? (
        <AskFirst
          label={texts.shutOut}
          title={texts.shuttingOut(name)}
          about={texts.shutOutAbout}
          deed={changeTo({ disabled: true })}
        />
      ) : (
        <Button disabled={deed.isPending} onClick={() => deed.mutate(changeTo({ disabled: false }))}>
          {texts.letIn}
        </Button>
      )}
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
