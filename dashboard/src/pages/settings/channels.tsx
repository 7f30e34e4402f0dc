// Who is told when something is wrong. Test says what was tried, and what the other side said.

import { useQuery } from "@tanstack/react-query";
import type { Channel, Sent } from "../../../../src/server/contract/wire.ts";
import { enc } from "../../api/ask.ts";
import { useDeed } from "../../api/deed.ts";
import { queries } from "../../api/queries.ts";
import { length } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { AskFirst } from "../../ui/ask-first.tsx";
import { Button } from "../../ui/button.tsx";
import { Choice, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Empty, Loaded, Panel } from "../../ui/panel.tsx";
import { Toggle } from "../../ui/toggle.tsx";
import { Wrong } from "../../ui/wrong.tsx";

const texts = words.settings.channels;
const TYPES = Object.entries(texts.types).map(([value, label]) => ({ value, label }));

export function Channels() {
  const query = useQuery(queries.channels());
  return (
    <Panel title={words.settings.tabs.channels}>
      <Loaded query={query} what={words.settings.tabs.channels}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty>{texts.none}</Empty>
          ) : (
            <ul className="divide-y divide-line">
              {entries.map((channel) => (
                <Line key={channel.id} channel={channel} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <NewChannel />
    </Panel>
  );
}

function Line({ channel: { id, name, type, host, on, problem } }: { readonly channel: Channel }) {
  const test = useDeed<Sent>();
  const deed = useDeed();
  const path = `/api/v1/channels/${enc(id)}`;
  return (
    <li className="space-y-1 px-4 py-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span className="font-medium" dir="auto">
          {name}
        </span>
        <span className="text-sm text-soft">
          {texts.types[type]}, {texts.leads} {host}
        </span>
        <span className="grow" />
        <Button disabled={test.isPending} onClick={() => test.mutate({ path: `${path}/test` })}>
          {texts.test}
        </Button>
        <Toggle
          label={texts.switch(name)}
          isOn={on}
          isDisabled={deed.isPending}
          onTurn={(isOn) => deed.mutate({ path, method: "PATCH", body: { on: isOn } })}
        />
        <AskFirst
          label={words.settings.remove}
          title={texts.removing(name)}
          about={texts.removeAbout}
          deed={{ path, method: "DELETE" }}
        />
      </div>
      {problem === null ? null : <p className="text-sm text-failed">{problem}</p>}
      <p role="status" className="text-sm">
        {test.data === undefined ? null : (
          <>
            {texts.tried(host, length(test.data.tookMs))}{" "}
            <span className={test.data.ok ? "text-done" : "text-failed"} dir="auto">
              {[test.data.status ?? "", test.data.code ?? "", test.data.ok ? texts.worked : test.data.answer].join(" ")}
            </span>
          </>
        )}
      </p>
      <Wrong error={test.error ?? deed.error} />
    </li>
  );
}

function NewChannel() {
  const deed = useDeed();
  return (
    <Form
      error={deed.error}
      className="grid gap-3 border-t border-line p-4 sm:grid-cols-[1fr_8rem_2fr_auto] sm:items-end"
      onGiven={(body, form) => deed.mutate({ path: "/api/v1/channels", body }, { onSuccess: () => form.reset() })}
    >
      <TextField label={texts.name} name="name" required maxLength={100} />
      <Choice label={texts.type} name="type" options={TYPES} />
      <TextField label={texts.url} name="url" type="url" required maxLength={2_000} autoComplete="off" />
      <Button type="submit" disabled={deed.isPending}>
        {words.settings.add}
      </Button>
    </Form>
  );
}
