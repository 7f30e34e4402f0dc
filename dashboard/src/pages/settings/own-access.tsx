import type { Session } from "../../../../src/server/contract/wire.ts";
import { enc } from "../../api/ask.ts";
import { useDeed } from "../../api/deed.ts";
import { usePages } from "../../api/pages.ts";
import { agentName } from "../../text/agent.ts";
import { words } from "../../text/words.ts";
import { AskFirst } from "../../ui/ask-first.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form, type Given } from "../../ui/form.tsx";
import { Older } from "../../ui/older.tsx";
import { Loaded, Panel } from "../../ui/panel.tsx";
import { Ago } from "../../ui/time.tsx";

const texts = words.settings.account;

export function OwnAccess() {
  return (
    <>
      <Password />
      <Sessions />
    </>
  );
}

function Password() {
  const deed = useDeed();
  const change = (given: Given) => deed.mutate({ path: "/api/v1/me/password", method: "PUT", body: given });
  return (
    <Panel title={texts.password}>
      <Form
        onGiven={change}
        error={deed.error}
        className="grid gap-3 px-4 pb-4 sm:grid-cols-[1fr_1fr_auto] sm:items-end"
      >
        <TextField label={texts.old} name="old" type="password" autoComplete="current-password" required />
        <TextField
          label={texts.fresh}
          name="password"
          type="password"
          autoComplete="new-password"
          required
          minLength={12}
        />
        <Button type="submit" disabled={deed.isPending}>
          {texts.change}
        </Button>
        {deed.isSuccess ? <p role="status">{texts.changed}</p> : null}
      </Form>
    </Panel>
  );
}

function Sessions() {
  const query = usePages<Session>(["sessions"], "/api/v1/sessions");
  return (
    <Panel
      title={texts.sessions}
      aside={
        query.data?.entries.some(({ isThis }) => !isThis) === true ? (
          <AskFirst
            label={texts.endOthers}
            title={texts.endOthers}
            about={texts.endOthersAbout}
            deed={{ path: "/api/v1/sessions", method: "DELETE" }}
          />
        ) : null
      }
    >
      <Loaded query={query} what={texts.sessions}>
        {({ entries }) => (
          <>
            <ul className="divide-y divide-line pb-2">
              {entries.map(({ id, agent, address, seenAt, isThis }) => (
                <li key={id} className="flex flex-wrap items-center gap-x-4 px-4 py-2">
                  <span title={agent ?? undefined}>{agentName(agent)}</span>
                  <span className="text-sm text-soft">
                    {address} · {isThis ? texts.thisOne : <Ago at={seenAt} />}
                  </span>
                  <span className="grow" />
                  {isThis ? null : (
                    <AskFirst
                      label={texts.end}
                      title={texts.end}
                      about={texts.endAbout(agentName(agent))}
                      deed={{ path: `/api/v1/sessions/${enc(id)}`, method: "DELETE" }}
                    />
                  )}
                </li>
              ))}
            </ul>
            <Older pages={query} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}
