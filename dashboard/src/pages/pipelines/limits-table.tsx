// What bounds each stage: how many at a time, whom it goes through, how often and how long it tries.

import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Pipeline } from "../../../../src/server/contract/wire.ts";
import { count, length } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { type Column, Table } from "../../ui/table.tsx";
import { type Limits, perKeyOf, placesOf, servicesOf, serviceWords } from "./limits.ts";

const texts = words.pipelines.limits;
const { columns } = texts;
type Version = Pipeline["versions"][number];
type Stage = Version["stages"][number];

/** Without the columns that would be empty. */
export function LimitsTable({ version: { version, deadlineMs, stages } }: { readonly version: Version }) {
  const isKnown = stages.some(({ limits }) => limits.code !== null);
  return (
    <section aria-label={texts.title} className="mt-3">
      <h4 className="px-4 text-sm text-soft">
        {[texts.title, deadlineMs === null ? "" : texts.deadline(length(deadlineMs))]
          .filter((part) => part !== "")
          .join(" · ")}
      </h4>
      <Table
        rows={stages}
        keyOf={({ name }) => name}
        columns={[
          { label: columns.stage, cell: ({ name }) => name },
          { label: columns.places, cell: ({ limits }) => <Lines of={placesOf(limits)} /> },
          ...shownIf(
            stages.some(({ limits }) => perKeyOf(limits) !== null),
            { label: columns.perKey, cell: ({ limits }) => numberOr(perKeyOf(limits)) },
          ),
          ...shownIf(
            stages.some(({ limits }) => servicesOf(limits).length > 0),
            { label: columns.services, isWide: true, cell: ({ limits }) => <Through limits={limits} /> },
          ),
          ...(isKnown ? CODE : []),
          ...shownIf(
            stages.some(({ limits }) => (limits.code?.stall ?? null) !== null),
            { label: columns.stall, cell: ({ limits }) => stallOf(limits) },
          ),
        ]}
      />
      {isKnown ? null : <p className="px-4 pt-1 text-sm text-soft">{texts.noCode(version)}</p>}
    </section>
  );
}

const CODE: readonly Column<Stage>[] = [
  { label: columns.attempts, cell: ({ limits }) => numberOr(limits.code?.attempts ?? null) },
  {
    label: columns.visit,
    cell: ({ limits }) => (limits.code === null ? words.none : length(limits.code.timeoutMs)),
  },
];

const shownIf = (isShown: boolean, column: Column<Stage>): readonly Column<Stage>[] => (isShown ? [column] : []);
const numberOr = (value: number | null) => (value === null ? words.none : count(value));

function stallOf({ code }: Limits): string {
  const stall = code?.stall ?? null;
  return stall === null ? words.none : `${length(stall.neverMs)} / ${length(stall.stoppedMs)}`;
}

function Through({ limits }: { readonly limits: Limits }): ReactNode {
  const services = servicesOf(limits);
  if (services.length === 0) return words.none;
  return services.map((service) => (
    <span key={service.name} className="block">
      <Link to="/services" search={{ service: service.name }} className="underline">
        {service.name}
      </Link>{" "}
      <span className="tabular-nums">{serviceWords(service)}</span>
    </span>
  ));
}

function Lines({ of }: { readonly of: readonly string[] }): ReactNode {
  return of.map((line) => (
    <span key={line} className="block tabular-nums">
      {line}
    </span>
  ));
}
