// The demo world, and how to break it.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { SandboxThing } from "../../../../src/server/contract/wire.ts";
import { useDeed } from "../../api/deed.ts";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Loaded, Panel } from "../../ui/panel.tsx";
import { Lasting } from "../../ui/time.tsx";
import { Wrong } from "../../ui/wrong.tsx";

const texts = words.sandbox;

export function Sandbox() {
  const query = useQuery(queries.sandbox());
  const me = useQuery(queries.me());
  const deed = useDeed();
  const isAdmin = me.data?.role === "admin";
  return (
    <div className="space-y-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl font-semibold">{texts.page}</h1>
        {isAdmin ? (
          <Button onClick={() => deed.mutate({ path: "/api/v1/sandbox/mend", body: {} })} disabled={deed.isPending}>
            {texts.mendAll}
          </Button>
        ) : null}
      </div>
      <p className="max-w-prose text-soft">
        {texts.about} {isAdmin ? "" : texts.onlyAdmins}
      </p>
      <Wrong error={deed.error} />
      <Loaded query={query} what={texts.page}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty>{texts.none}</Empty>
          ) : (
            <div className="grid gap-5 lg:grid-cols-2">
              {entries.map((thing) => (
                <Thing key={thing.name} thing={thing} isAdmin={isAdmin} />
              ))}
            </div>
          )
        }
      </Loaded>
    </div>
  );
}

function Thing({
  thing: { name, about, service, state, faults },
  isAdmin,
}: {
  readonly thing: SandboxThing;
  readonly isAdmin: boolean;
}) {
  const deed = useDeed();
  const turn = (verb: "break" | "mend", fault: string) =>
    deed.mutate({ path: `/api/v1/sandbox/${verb}`, body: { thing: name, fault } });
  const aside = (
    <span className="text-sm text-soft">
      {texts.states[state]}
      {service === null ? null : (
        <>
          {" · "}
          <Link to="/services" search={{ service }} className="underline">
            {service}
          </Link>
        </>
      )}
    </span>
  );
  return (
    <Panel title={name} aside={aside}>
      <p className="px-4 text-sm text-soft">{about}</p>
      <ul className="mt-2 divide-y divide-line">
        {faults.map(({ name: fault, does, expect, brokenSince }) => (
          <li key={fault} className="flex items-start gap-3 px-4 py-2.5">
            <div className="min-w-0 grow text-sm">
              <p>{does}</p>
              <p className="text-soft">
                {brokenSince === null ? null : (
                  <strong className="text-failed">
                    {texts.brokenFor} <Lasting since={brokenSince} />.{" "}
                  </strong>
                )}
                {expect}
              </p>
            </div>
            {isAdmin ? (
              <Button
                kind={brokenSince === null ? "danger" : "main"}
                disabled={deed.isPending}
                aria-label={`${name}: ${brokenSince === null ? texts.break(fault) : `${texts.mend}: ${fault}`}`}
                onClick={() => turn(brokenSince === null ? "break" : "mend", fault)}
              >
                {brokenSince === null ? fault : texts.mend}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      <Wrong error={deed.error} className="px-4 pb-2" />
    </Panel>
  );
}
