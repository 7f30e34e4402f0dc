// A request at a glance: a square for each film or episode, and the same in words and numbers.

import type { MediaCard } from "../../../../src/server/contract/wire.ts";
import { percent } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { useNow } from "../../ui/now.ts";
import { Glyph } from "./glyph.tsx";
import { countStandings, dayOf, type Standing, standingOf } from "./standing.ts";

const texts = words.media;
type Item = MediaCard["items"][number];

interface Props {
  readonly items: readonly Item[];
  readonly counts: MediaCard["counts"];
}

/** Of a single film its badge says all. */
export function Squares({ items, counts }: Props) {
  const today = dayOf(useNow());
  if (items.length <= 1) return null;
  return (
    <div className="space-y-1">
      {/* What they show is told in words below. */}
      <div aria-hidden className="flex flex-wrap gap-1">
        {items.map((item) => (
          <span key={item.item} title={nameOf(item, standingOf(item, today))} className="leading-none">
            <Glyph standing={standingOf(item, today)} />
          </span>
        ))}
      </div>
      {items.length < counts.total ? <Whole counts={counts} drawn={items.length} /> : <Counts items={items} />}
    </div>
  );
}

/** Of so many that not all are drawn, what is known of all of them. */
function Whole({
  counts: { total, completed, failed },
  drawn,
}: {
  readonly counts: Props["counts"];
  readonly drawn: number;
}) {
  return (
    <p className="text-sm">
      {words.request.counts(total, completed)}
      {failed === 0 ? "" : `, ${words.request.failed(failed)}`}. <span className="text-soft">{texts.first(drawn)}</span>
    </p>
  );
}

export function Counts({ items }: { readonly items: readonly Item[] }) {
  const counts = countStandings(items, dayOf(useNow()));
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-0.5 text-sm">
      {counts.map(([standing, many]) => (
        <li key={standing} className="inline-flex items-center gap-1.5">
          <Glyph standing={standing} className="size-3" />
          {texts.standing(many, texts.standings[standing])}
        </li>
      ))}
    </ul>
  );
}

/** "S02E08 Half Loop: in work, 63 %". */
function nameOf({ season, episode, name, progress }: Item, standing: Standing): string {
  const number =
    season === null || episode === null ? "" : `${texts.seasonShort(season)}E${String(episode).padStart(2, "0")}`;
  const what = [number, name ?? ""].filter((part) => part !== "").join(" ");
  const how = standing === "working" ? `${texts.standings.working}, ${percent(progress)}` : texts.standings[standing];
  return what === "" ? how : `${what}: ${how}`;
}
