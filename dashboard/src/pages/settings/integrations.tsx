// What this installation speaks with: services that pipelines use, and where messages go. Each with what was tried last, and the way to
// more about it.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Service, ServiceTested } from "../../../../src/server/contract/wire.ts";
import { enc } from "../../api/ask.ts";
import { useDeed } from "../../api/deed.ts";
import { queries } from "../../api/queries.ts";
import { length } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { Button, buttonLook } from "../../ui/button.tsx";
import { Empty, Loaded, Panel } from "../../ui/panel.tsx";
import { Lasting } from "../../ui/time.tsx";
import { Wrong } from "../../ui/wrong.tsx";
import { CheckNow } from "../services/check.tsx";
import { ServiceMark } from "../services/mark.tsx";

const texts = words.settings.integrations;

export function Integrations() {
  const query = useQuery(queries.services());
  return (
    <>
      <Panel title={texts.services}>
        <Loaded query={query} what={texts.services}>
          {({ entries }) =>
            entries.length === 0 ? (
              <Empty>{texts.none}</Empty>
            ) : (
              <>
                <p className="px-4 pb-1 text-sm text-soft">{texts.about}</p>
                <ul className="divide-y divide-line">
                  {entries.map((one) => (
                    <Line key={one.name} service={one} />
                  ))}
                </ul>
              </>
            )
          }
        </Loaded>
      </Panel>
      <Channels />
    </>
  );
}

function Line({ service }: { readonly service: Service }) {
  const { name, state, since, error } = service;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
      <span className="font-medium">{name}</span>
      <ServiceMark state={state} />
      <span className="text-sm text-soft">
        {words.services.stateFor} <Lasting since={since} />
      </span>
      <span className="grow" />
      <Link to="/services" search={{ service: name }} aria-label={texts.more(name)} className={buttonLook("quiet")}>
        {words.services.details}
      </Link>
      {state === "down" ? null : <Test name={name} />}
      <CheckNow within="services" service={service} />
      {state === "well" || error === null ? null : (
        <p className="basis-full text-sm text-soft" dir="auto">
          {texts.said(error.code, error.message ?? "")}
        </p>
      )}
    </li>
  );
}

/** Once, by the service's own probe: what was tried, and what came back. */
function Test({ name }: { readonly name: string }) {
  const test = useDeed<ServiceTested>();
  return (
    <>
      <Button
        aria-label={texts.testOf(name)}
        disabled={test.isPending}
        onClick={() => test.mutate({ path: `/api/v1/services/${enc(name)}/test` })}
      >
        {words.settings.channels.test}
      </Button>
      {test.data === undefined ? null : (
        <p role="status" className="basis-full text-sm" dir="auto">
          {texts.tried(length(test.data.tookMs))}{" "}
          <span className={test.data.ok ? "text-done" : "text-failed"}>
            {test.data.ok ? texts.worked : [test.data.code, test.data.message].join(" ")}
          </span>
        </p>
      )}
      <Wrong error={test.error} className="basis-full" />
    </>
  );
}

function Channels() {
  const query = useQuery(queries.channels());
  const link = (
    <Link to="/settings" search={{ tab: "channels" }} className={buttonLook("quiet")}>
      {texts.test}
    </Link>
  );
  return (
    <Panel title={texts.channels} aside={link}>
      <Loaded query={query} what={texts.channels}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty>{words.settings.channels.none}</Empty>
          ) : (
            <ul className="divide-y divide-line pb-2">
              {entries.map(({ id, name, type, host, on, problem }) => (
                <li key={id} className="flex flex-wrap gap-x-4 px-4 py-2">
                  <span className="font-medium" dir="auto">
                    {name}
                  </span>
                  <span className="text-sm text-soft">
                    {words.settings.channels.types[type]}, {words.settings.channels.leads} {host}
                  </span>
                  <span className="text-sm">{on ? words.on : words.off}</span>
                  {problem === null ? null : <span className="basis-full text-sm text-failed">{problem}</span>}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}
