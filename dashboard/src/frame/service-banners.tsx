// A service that is down is everybody's business, on every page; one that is well is nobody's.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CloudAlert } from "lucide-react";
import { useState } from "react";
import type { Service } from "../../../src/server/contract/wire.ts";
import { queries } from "../api/queries.ts";
import { CheckNow } from "../pages/services/check.tsx";
import { words } from "../text/words.ts";
import { At, Countdown } from "../ui/time.tsx";

const texts = words.services;

export function ServiceBanners() {
  const { data } = useQuery(queries.overview());
  // One that comes back after it was checked here stays until it is well, to say so.
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const shown = data?.services.filter(({ name, state }) => state === "down" || checked.has(name)) ?? [];
  if (shown.length === 0) return null;
  return (
    <section aria-label={texts.troubles} className="border-b border-line bg-failed-soft">
      {shown.map((one) => (
        <Banner key={one.name} service={one} onChecked={() => setChecked((before) => new Set([...before, one.name]))} />
      ))}
    </section>
  );
}

function Banner({ service, onChecked }: { readonly service: Service; readonly onChecked: () => void }) {
  const { name, state } = service;
  const { data: me } = useQuery(queries.me());
  return (
    <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 sm:px-6">
      <CloudAlert aria-hidden className="size-5 shrink-0 text-failed" />
      <p className="grow basis-60">
        {state === "down" ? <Trouble service={service} /> : `${name}: ${texts.states[state]}`}
      </p>
      <Link to="/services" search={{ service: name }} className="text-sm underline">
        {texts.details}
      </Link>
      {me?.role === "admin" ? <CheckNow service={service} within="overview" onChecked={onChecked} /> : null}
    </div>
  );
}

function Trouble({ service: { name, since, until, behind } }: { readonly service: Service }) {
  return (
    <>
      <strong className="font-semibold">{texts.down(name)}</strong> <At at={since} />. {texts.behind(behind)}{" "}
      {until === null ? null : (
        <>
          {texts.nextCheck} <Countdown until={until} />.
        </>
      )}
    </>
  );
}
