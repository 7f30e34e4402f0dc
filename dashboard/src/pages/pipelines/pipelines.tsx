// What each pipeline is made of, how its stages fare, and what holds them.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { Pipeline } from "../../../../src/server/contract/wire.ts";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { buttonLook } from "../../ui/button.tsx";
import { Empty, Loaded, Panel } from "../../ui/panel.tsx";
import { ClosedList } from "./closed-list.tsx";
import { HoldButton } from "./hold.tsx";
import { LimitsTable } from "./limits-table.tsx";
import { Stages } from "./stages.tsx";
import { Versions } from "./versions.tsx";

const texts = words.pipelines;
/** The engine's own, which comes after everybody else's. */
const CLEANUP = "cleanup";
const route = getRouteApi("/inside/pipelines");

export function Pipelines() {
  const { pipeline } = route.useSearch();
  const query = useQuery(queries.pipelines());
  const me = useQuery(queries.me());
  return (
    <div className="space-y-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl font-semibold">{words.pages.pipelines}</h1>
        {pipeline === undefined ? null : (
          <Link to="/pipelines" className={buttonLook("quiet")}>
            {texts.all}
          </Link>
        )}
      </div>
      {me.data === undefined || me.data.role === "admin" ? null : (
        <p className="text-sm text-soft">{texts.onlyAdmins}</p>
      )}
      <Loaded query={query} what={words.pages.pipelines}>
        {({ entries }) => <All entries={entries} chosen={pipeline} isAdmin={me.data?.role === "admin"} />}
      </Loaded>
    </div>
  );
}

interface AllProps {
  readonly entries: readonly Pipeline[];
  readonly chosen: string | undefined;
  readonly isAdmin: boolean;
}

function All({ entries, chosen, isAdmin }: AllProps) {
  if (entries.length === 0) return <Empty>{texts.none}</Empty>;
  const own = entries.filter(({ name }) => name !== CLEANUP);
  const shown = [...own, ...entries.filter(({ name }) => name === CLEANUP)].filter(
    ({ name }) => chosen === undefined || name === chosen,
  );
  if (shown.length === 0) return <Empty>{texts.noSuch(chosen ?? "")}</Empty>;
  const ofAll = entries[0]?.closed.filter((valve) => valve.pipeline === null) ?? [];
  return (
    <>
      <ClosedList closed={ofAll} isAdmin={isAdmin} />
      {shown.map((one) => (
        <One key={one.name} pipeline={one} isAdmin={isAdmin} />
      ))}
    </>
  );
}

const headOf = ({ version, share, workers }: Pipeline["versions"][number]) =>
  [texts.version(version), share === null ? "" : texts.share(share), texts.workers(workers)]
    .filter((part) => part !== "")
    .join(" · ");

function One({ pipeline, isAdmin }: { readonly pipeline: Pipeline; readonly isAdmin: boolean }) {
  const { name, versions } = pipeline;
  const closed = pipeline.closed.filter((valve) => valve.pipeline !== null);
  const isHeld = closed.some(({ kind, version, stage }) => kind === "hold" && version === null && stage === null);
  const hold =
    isAdmin && !isHeld ? (
      <HoldButton path="/api/v1/hold" body={{ pipeline: name }} what={name} help={texts.holdHelp} />
    ) : null;
  return (
    <Panel title={name} aside={hold}>
      <div className="space-y-4 pb-3">
        {name === CLEANUP ? <p className="px-4 text-sm text-soft">{texts.cleanup}</p> : null}
        <ClosedList closed={closed} isAdmin={isAdmin} />
        {versions.length < 2 ? null : <Versions pipeline={name} isAdmin={isAdmin} />}
        {versions.map((one) => (
          <section key={one.version} aria-label={texts.version(one.version)}>
            <h3 className="px-4 text-sm text-soft">{headOf(one)}</h3>
            <Stages
              pipeline={name}
              version={one.version}
              isOnly={versions.length === 1}
              stages={one.stages}
              closed={closed}
              isAdmin={isAdmin}
            />
            <LimitsTable version={one} />
          </section>
        ))}
      </div>
    </Panel>
  );
}
