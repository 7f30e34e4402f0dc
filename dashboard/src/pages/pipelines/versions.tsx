// Versions side by side: what each gets of the new requests, and how its newest items did.

import { useQuery } from "@tanstack/react-query";
import type { Version } from "../../../../src/server/contract/wire.ts";
import { enc } from "../../api/ask.ts";
import { useDeed } from "../../api/deed.ts";
import { queries } from "../../api/queries.ts";
import { count, length, percent, rate } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { CountLink } from "../../ui/count-link.tsx";
import { Loaded } from "../../ui/panel.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Wrong } from "../../ui/wrong.tsx";
import { HoldButton } from "./hold.tsx";
import { Rollout } from "./rollout.tsx";

const all = words.pipelines;
const texts = all.versions;
const { columns } = texts;

interface Props {
  readonly pipeline: string;
  readonly isAdmin: boolean;
}

export function Versions({ pipeline, isAdmin }: Props) {
  const query = useQuery(queries.versions(pipeline));
  const counted = (label: string, state: "done" | "failed"): Column<Version> => ({
    label,
    isNumber: true,
    cell: ({ version, figures }) => (
      <CountLink items={figures[state]} filter={`pipeline:${pipeline} version:${version} state:${state}`} />
    ),
  });
  return (
    <section aria-label={texts.title}>
      <Loaded query={query} what={texts.title}>
        {({ entries }) => (
          <>
            <div className="flex flex-wrap items-center justify-between gap-2 px-4">
              <h3 className="text-sm text-soft">{texts.title}</h3>
              {isAdmin ? <Rollout pipeline={pipeline} versions={entries} /> : null}
            </div>
            <Table
              rows={entries}
              keyOf={({ version }) => String(version)}
              columns={[
                { label: columns.version, cell: (one) => <Which version={one} /> },
                {
                  label: columns.share,
                  isNumber: true,
                  cell: ({ share }) => (share === null ? texts.noRollout : percent(share)),
                },
                { label: columns.workers, isNumber: true, cell: ({ workers }) => count(workers) },
                counted(columns.done, "done"),
                counted(columns.failed, "failed"),
                {
                  label: columns.rate,
                  isNumber: true,
                  cell: ({ figures: { failureRate } }) => (failureRate === null ? words.none : rate(failureRate)),
                },
                { label: columns.retries, isNumber: true, cell: ({ figures }) => count(figures.retries) },
                {
                  label: columns.took,
                  isNumber: true,
                  cell: ({ figures: { took } }) =>
                    took === null ? words.none : `${length(took.p50Ms)} / ${length(took.p90Ms)}`,
                },
                { label: columns.live, cell: (one) => <InFlight {...{ pipeline, isAdmin }} version={one} /> },
              ]}
            />
          </>
        )}
      </Loaded>
    </section>
  );
}

function Which({ version: { version, figures, orphans } }: { readonly version: Version }) {
  return (
    <>
      {all.version(version)}
      <span className="block text-sm font-normal text-soft">{texts.newest(figures.items)}</span>
      {orphans.map(({ stage, items }) => (
        <span key={stage} className="block text-sm font-normal text-waiting">
          {texts.orphans(stage, items)}
        </span>
      ))}
    </>
  );
}

function InFlight({ pipeline, version: { version, held, figures }, isAdmin }: Props & { readonly version: Version }) {
  const deed = useDeed();
  const path = `/api/v1/pipelines/${enc(pipeline)}/versions/${version}`;
  const place = `${pipeline} · ${all.version(version)}`;
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <span className={held === "no" ? "text-soft" : "font-medium text-waiting"}>
        {count(figures.live)} {texts.standing[held]}
      </span>
      {!isAdmin ? null : held === "no" ? (
        <HoldButton path={`${path}/hold`} body={{}} what={place} help={texts.holdHelp} />
      ) : (
        <Button
          disabled={deed.isPending}
          aria-label={all.closed.open(all.release, place)}
          onClick={() => deed.mutate({ path: `${path}/release`, body: {} })}
        >
          {all.release}
        </Button>
      )}
      <Wrong error={deed.error} />
    </span>
  );
}
