// What each pipeline is made of, how its stages fare, and what holds them.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Pipeline } from "../../../../src/server/contract/wire.ts";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { Empty, Loaded, Panel } from "../../ui/panel.tsx";
import { HoldButton } from "./hold.tsx";
import { Stages } from "./stages.tsx";

const texts = words.pipelines;
const route = getRouteApi("/inside/pipelines");

export function Pipelines() {
  const { pipeline } = route.useSearch();
  const query = useQuery(queries.pipelines());
  const me = useQuery(queries.me());
  const isAdmin = me.data?.role === "admin";
  return (
    <div className="space-y-5">
      <h1 className="text-2xl font-semibold">{words.pages.pipelines}</h1>
      <Loaded query={query} what={words.pages.pipelines}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty>{texts.none}</Empty>
          ) : (
            entries
              .filter(({ name }) => pipeline === undefined || name === pipeline)
              .map((one) => <One key={one.name} pipeline={one} isAdmin={isAdmin} />)
          )
        }
      </Loaded>
    </div>
  );
}

function One({ pipeline, isAdmin }: { readonly pipeline: Pipeline; readonly isAdmin: boolean }) {
  const { name, versions, closed } = pipeline;
  const held = closed.find(({ kind, stage }) => kind === "hold" && stage === null);
  return (
    <Panel title={name} aside={<HoldButton pipeline={name} held={held} isAdmin={isAdmin} />}>
      <div className="space-y-4 pb-3">
        {versions.map(({ version, share, workers, stages }) => (
          <section key={version} aria-label={texts.version(version)}>
            <p className="px-4 text-sm text-soft">
              {[texts.version(version), share === null ? "" : texts.share(share), texts.workers(workers)]
                .filter((part) => part !== "")
                .join(" · ")}
            </p>
            <Stages pipeline={name} version={version} stages={stages} isAdmin={isAdmin} />
          </section>
        ))}
      </div>
    </Panel>
  );
}
