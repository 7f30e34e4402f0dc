// A service that is down is everybody's business, on every page; one that is well is nobody's.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CloudAlert } from "lucide-react";
import type { Service } from "../../../src/server/contract/wire.ts";
import { enc } from "../api/ask.ts";
import { useDeed } from "../api/deed.ts";
import { queries } from "../api/queries.ts";
import { words } from "../text/words.ts";
import { Button } from "../ui/button.tsx";
import { At, Countdown } from "../ui/time.tsx";

const texts = words.services;

export function ServiceBanners() {
  const { data } = useQuery(queries.overview());
  const down = data?.services.filter((one) => one.state === "down") ?? [];
  if (down.length === 0) return null;
  return (
    <section aria-label={texts.troubles} className="border-b border-line bg-failed-soft">
      {down.map((one) => (
        <Banner key={one.name} service={one} />
      ))}
    </section>
  );
}

function Banner({ service: { name, since, until, behind } }: { readonly service: Service }) {
  const { data: me } = useQuery(queries.me());
  const check = useDeed();
  return (
    <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 sm:px-6">
      <CloudAlert aria-hidden className="size-5 shrink-0 text-failed" />
      <p className="grow basis-60">
        <strong className="font-semibold">{texts.down(name)}</strong> <At at={since} />. {texts.behind(behind)}{" "}
        {until === null ? null : (
          <>
            {texts.nextCheck} <Countdown until={until} />.
          </>
        )}
      </p>
      <Link to="/services" search={{ service: name }} className="text-sm underline">
        {texts.details}
      </Link>
      {me?.role === "admin" ? (
        <Button
          onClick={() => check.mutate({ path: `/api/v1/services/${enc(name)}/check` })}
          disabled={check.isPending}
        >
          {texts.checkNow}
        </Button>
      ) : null}
      {check.isError ? (
        <p role="alert" className="basis-full text-failed">
          {check.error.message}
        </p>
      ) : null}
    </div>
  );
}
