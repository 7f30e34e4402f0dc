import { useQuery } from "@tanstack/react-query";
import type { AlertRule } from "../../../../src/server/contract/wire.ts";
import { enc } from "../../api/ask.ts";
import { useDeed } from "../../api/deed.ts";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Loaded, Panel } from "../../ui/panel.tsx";
import { Toggle } from "../../ui/toggle.tsx";

const texts = words.settings.rules;

export function Rules() {
  const query = useQuery(queries.rules());
  return (
    <Panel title={words.settings.tabs.rules}>
      <Loaded query={query} what={words.settings.tabs.rules}>
        {({ entries }) => (
          <ul className="divide-y divide-line">
            {entries.map((rule) => (
              <Line key={rule.rule} rule={rule} />
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}

function Line({ rule: { rule, title, on, values, stages, channels } }: { readonly rule: AlertRule }) {
  const deed = useDeed();
  const save = (isOn: boolean, given: { readonly [name: string]: number }) =>
    deed.mutate({
      path: `/api/v1/alert-rules/${enc(rule)}`,
      method: "PUT",
      body: { on: isOn, values: given, stages, channels },
    });
  const current = Object.fromEntries(values.map(({ name, value }) => [name, value]));
  return (
    <li className="px-4 py-3">
      <Form
        error={deed.error}
        className="flex flex-wrap items-start gap-3"
        onGiven={(given) =>
          save(on, Object.fromEntries(values.map(({ name, value }) => [name, Number(given[name] ?? value)])))
        }
      >
        <div className="w-full sm:w-64">
          <h3 className="font-medium">{title}</h3>
          <Toggle
            label={texts.switch(title)}
            isOn={on}
            isDisabled={deed.isPending}
            onTurn={(isOn) => save(isOn, current)}
          />
        </div>
        {values.map(({ name, value, unit, lowest, highest, what }) => (
          <div key={name} className="w-56 max-sm:w-full">
            <TextField
              label={texts.value(what, unit)}
              name={name}
              type="number"
              step="any"
              min={lowest}
              max={highest}
              defaultValue={value}
              required
            />
          </div>
        ))}
        <span className="grow" />
        {values.length === 0 ? null : (
          <Button type="submit" disabled={deed.isPending} className="sm:mt-6">
            {words.settings.save}
          </Button>
        )}
        {deed.isSuccess ? <p role="status">{words.settings.saved}</p> : null}
      </Form>
    </li>
  );
}
