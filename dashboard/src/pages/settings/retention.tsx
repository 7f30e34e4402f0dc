// How long things are kept, and setting it: first what would change, in the server's words, then the deed.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Retention as Kept } from "../../../../src/server/contract/wire.ts";
import { useDeed } from "../../api/deed.ts";
import { queries } from "../../api/queries.ts";
import { exact, length } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form, type Given } from "../../ui/form.tsx";
import { Loaded, Panel } from "../../ui/panel.tsx";
import { asDuration, changesOf, KEPT } from "./kept.ts";
import { Leaving, OfRequests, Preview, Stored } from "./retention-facts.tsx";

const texts = words.settings.retention;
type Limits = Kept["limits"];

export function Retention({ isAdmin }: { readonly isAdmin: boolean }) {
  const query = useQuery(queries.retention());
  return (
    <Loaded query={query} what={words.settings.tabs.retention}>
      {(kept) => (
        <>
          <Panel title={texts.title}>
            <div className="space-y-3 px-4 pb-4">
              <p className="text-sm text-soft">
                {texts.about} {isAdmin ? texts.written : ""}
              </p>
              {kept.heldUntil === null ? null : <p className="text-waiting">{texts.held(exact(kept.heldUntil))}</p>}
              {isAdmin ? <LimitsForm limits={kept.limits} /> : <LimitsList limits={kept.limits} />}
            </div>
          </Panel>
          <Leaving kept={kept} />
          <OfRequests kept={kept} />
          {isAdmin ? <Preview /> : null}
          <Stored kept={kept} />
        </>
      )}
    </Loaded>
  );
}

function LimitsList({ limits }: { readonly limits: Limits }) {
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
        {KEPT.map((name) => (
          <div key={name} className="contents">
            <dt className="text-soft">{texts.names[name]}</dt>
            <dd>{length(limits[name])}</dd>
          </div>
        ))}
      </dl>
      <p className="text-sm text-soft">{texts.onlyAdmins}</p>
    </>
  );
}

function LimitsForm({ limits }: { readonly limits: Limits }) {
  const look = useDeed<{ readonly would: string | null }>();
  const change = useDeed(() => look.reset());
  const [isSame, setSame] = useState(false);
  const would = look.data?.would ?? null;
  const send = (given: Given) => {
    const body = changesOf(given, limits);
    setSame(Object.keys(body).length === 0);
    if (Object.keys(body).length === 0) return;
    change.reset();
    if (would === null) look.mutate({ path: "/api/v1/retention?dryRun=true", method: "PUT", body });
    else change.mutate({ path: "/api/v1/retention", method: "PUT", body });
  };
  return (
    <Form
      // Set by somebody else, or just now: the fields begin anew.
      key={KEPT.map((name) => limits[name]).join()}
      error={look.error ?? change.error}
      onGiven={send}
      className="grid gap-3 sm:grid-cols-3"
    >
      {KEPT.map((name) => (
        <TextField
          key={name}
          label={texts.names[name]}
          name={name}
          defaultValue={asDuration(limits[name])}
          autoComplete="off"
          // What was looked at was something else.
          onChange={() => look.reset()}
        />
      ))}
      <p role="status" className="col-span-full font-medium">
        {isSame ? texts.unchanged : would}
        {change.isSuccess ? texts.saved : null}
      </p>
      <div className="col-span-full">
        <Button type="submit" kind={would === null ? "plain" : "main"} disabled={look.isPending || change.isPending}>
          {would === null ? texts.look : texts.go}
        </Button>
      </div>
    </Form>
  );
}
