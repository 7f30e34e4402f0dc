// One service from near: what it affects, when it went and came back, what it said.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ServiceDetail } from "../../../../src/server/contract/wire.ts";
import { queries } from "../../api/queries.ts";
import { length } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { CountLink } from "../../ui/count-link.tsx";
import { Loaded } from "../../ui/panel.tsx";
import { At } from "../../ui/time.tsx";

const texts = words.services.detail;

export function Detail({ name }: { readonly name: string }) {
  const query = useQuery(queries.service(name));
  return (
    <Loaded query={query} what={name}>
      {(detail) => (
        <div className="mt-2 grid gap-4 text-sm lg:grid-cols-3">
          <Affects detail={detail} />
          <Turns detail={detail} />
          <Errors detail={detail} />
        </div>
      )}
    </Loaded>
  );
}

const filterOf = (pipeline: string, version: number, stage: string) =>
  `pipeline:${pipeline} version:${version} stage:${stage}`;
const HEAD = "font-medium text-soft";

function Affects({ detail: { affects, calls } }: { readonly detail: ServiceDetail }) {
  return (
    <section aria-label={texts.affects}>
      <h3 className={HEAD}>{texts.affects}</h3>
      <ul>
        {affects.map(({ pipeline, version, stage, waiting, running }) => (
          <li key={`${pipeline} ${version} ${stage}`}>
            {pipeline} {version} · {stage}:{" "}
            <CountLink items={waiting} filter={`${filterOf(pipeline, version, stage)} state:queued,waiting`} />{" "}
            {texts.waiting},{" "}
            <CountLink items={running} filter={`${filterOf(pipeline, version, stage)} state:running`} /> {texts.running}
          </li>
        ))}
      </ul>
      {calls === null ? null : <p className="text-soft">{texts.calls(length(calls.p50Ms), length(calls.p90Ms))}</p>}
    </section>
  );
}

function Turns({ detail: { turns } }: { readonly detail: ServiceDetail }) {
  return (
    <section aria-label={texts.turns}>
      <h3 className={HEAD}>{texts.turns}</h3>
      {turns.length === 0 ? <p className="text-soft">{texts.noTurns}</p> : null}
      <ul>
        {turns.slice(0, 10).map(({ at, turned, code, openMs }) => (
          <li key={`${at} ${turned}`}>
            <At at={at} className="text-soft tabular-nums" />{" "}
            {turned === "opened"
              ? `${texts.opened} ${code ?? ""}`
              : texts.closed(openMs === null ? "" : length(openMs))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Errors({ detail: { errors } }: { readonly detail: ServiceDetail }) {
  return (
    <section aria-label={texts.errors}>
      <h3 className={HEAD}>{texts.errors}</h3>
      {errors.length === 0 ? <p className="text-soft">{texts.noErrors}</p> : null}
      <ul>
        {errors.slice(0, 10).map(({ at, item, code, message }) => (
          <li key={`${at} ${item}`} dir="auto">
            <At at={at} className="text-soft tabular-nums" />{" "}
            <Link to="/items/$id" params={{ id: item }} className="font-mono text-failed underline">
              {code}
            </Link>{" "}
            {message}
          </li>
        ))}
      </ul>
    </section>
  );
}
