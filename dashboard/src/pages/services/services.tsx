// What the work leans on: how each service is, since when, what waits for it.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { Service } from "../../../../src/server/contract/wire.ts";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { buttonLook } from "../../ui/button.tsx";
import { Empty, Loaded } from "../../ui/panel.tsx";
import { Countdown, Lasting } from "../../ui/time.tsx";
import { CheckNow } from "./check.tsx";
import { Detail } from "./detail.tsx";
import { ServiceMark } from "./mark.tsx";

const texts = words.services;
const route = getRouteApi("/inside/services");

export function Services() {
  const { service: chosen } = route.useSearch();
  const query = useQuery(queries.services());
  const me = useQuery(queries.me());
  const { data: overview } = useQuery(queries.overview());
  // The same number as on the banner, which is asked for more often.
  const behindOf = ({ name, behind }: Service) => overview?.services.find((one) => one.name === name)?.behind ?? behind;
  return (
    <div className="space-y-5">
      <h1 className="text-2xl font-semibold">{words.pages.services}</h1>
      <Loaded query={query} what={words.pages.services}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty>{texts.none}</Empty>
          ) : (
            <ul className="divide-y divide-line rounded-lg border border-line bg-panel">
              {entries.map((one) => (
                <Row
                  key={one.name}
                  service={{ ...one, behind: behindOf(one) }}
                  isChosen={one.name === chosen}
                  isAdmin={me.data?.role === "admin"}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  );
}

function Row({
  service,
  isChosen,
  isAdmin,
}: {
  readonly service: Service;
  readonly isChosen: boolean;
  readonly isAdmin: boolean;
}) {
  const { name, state, since, until, capacity, ramp, limit, behind, error } = service;
  return (
    <li
      id={`service-${name}`}
      aria-current={isChosen ? "true" : undefined}
      className="px-4 py-3 aria-[current=true]:bg-sunk"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 className="font-semibold">{name}</h2>
        <ServiceMark state={state}>
          <span className="text-sm font-normal text-soft">
            {texts.stateFor} <Lasting since={since} />
          </span>
        </ServiceMark>
        {until === null ? null : (
          <span className="text-sm text-soft">
            {texts.nextCheck} <Countdown until={until} />
          </span>
        )}
        {behind === 0 ? null : (
          <Link to="/work" search={{ filter: `service:${name}` }} className="text-sm underline">
            {texts.waiting(behind)}
          </Link>
        )}
        <span className="text-sm text-soft">
          {[
            capacity === null ? "" : texts.capacity(capacity),
            ramp === null ? "" : texts.ramp(ramp),
            limit === null ? "" : texts.limit(limit.count, limit.perMs),
          ]
            .filter((part) => part !== "")
            .join(" · ")}
        </span>
        <span className="grow" />
        <Link
          to="/services"
          search={isChosen ? {} : { service: name }}
          replace
          aria-expanded={isChosen}
          className={buttonLook("quiet")}
        >
          {isChosen ? texts.less : texts.more}
        </Link>
        {isAdmin ? <CheckNow service={service} within="services" /> : null}
      </div>
      {state === "ramping" ? <p className="mt-1 text-sm text-soft">{texts.rampingHelp}</p> : null}
      {error === null || state === "well" ? null : (
        <p className="mt-1 text-sm" dir="auto">
          {texts.lastError}: <span className="font-mono text-failed">{error.code}</span> {error.message}
        </p>
      )}
      {isChosen ? <Detail name={name} /> : null}
    </li>
  );
}
