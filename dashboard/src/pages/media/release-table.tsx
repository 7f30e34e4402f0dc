// Releases as a table; on a phone a card each.

import type { MediaReleases } from "../../../../src/server/contract/wire.ts";
import { bytes, count } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { type Column, Table } from "../../ui/table.tsx";

const texts = words.media.releases;
type Refused = MediaReleases["refused"][number];
/** Why it is not taken by itself is only known of those that were refused. */
export type Shown = MediaReleases["next"][number] & Partial<Pick<Refused, "code" | "reason">>;

const NAME: Column<Shown> = {
  label: texts.columns.name,
  cell: ({ title }) => (
    <span className="line-clamp-3 text-sm font-medium wrap-anywhere" title={title} dir="auto">
      {title}
    </span>
  ),
};
const FACTS: readonly Column<Shown>[] = [
  {
    label: texts.columns.size,
    isNumber: true,
    cell: ({ bytes: size }) => <span className="whitespace-nowrap">{size === null ? texts.unknown : bytes(size)}</span>,
  },
  {
    label: texts.columns.seeders,
    isNumber: true,
    cell: ({ seeders }) => (seeders === null ? texts.unknown : count(seeders)),
  },
  {
    label: texts.columns.indexer,
    cell: ({ indexer }) => <span className="inline-block wrap-anywhere sm:min-w-24">{indexer}</span>,
  },
];
const WHY: Column<Shown> = {
  label: texts.columns.why,
  isWide: true,
  cell: ({ reason, code }) => (
    <span className="text-sm" dir="auto">
      {reason} <span className="font-mono text-xs text-soft">{code}</span>
    </span>
  ),
};

interface Props {
  readonly rows: readonly Shown[];
  readonly onTake?: ((release: Shown) => void) | undefined;
}

export function ReleaseTable({ rows, onTake }: Props) {
  const hasReasons = rows.some(({ reason }) => reason !== undefined);
  const take: Column<Shown> | undefined =
    onTake === undefined
      ? undefined
      : {
          label: texts.columns.take,
          isWide: true,
          isAction: true,
          cell: (release) => (
            <Button aria-label={texts.takeOf(release.title)} onClick={() => onTake(release)} className="max-sm:w-full">
              {texts.take}
            </Button>
          ),
        };
  return (
    <Table
      rows={rows}
      keyOf={({ id }) => id}
      columns={[NAME, ...FACTS, ...(hasReasons ? [WHY] : []), ...(take === undefined ? [] : [take])]}
    />
  );
}
