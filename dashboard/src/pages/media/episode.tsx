// A film or an episode: why it stands where it stands, how it stands at each server, what it is encoded as and what was found for it.

import { Link } from "@tanstack/react-router";
import type { MediaRequest } from "../../../../src/server/contract/wire.ts";
import { day } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { Bar } from "../../ui/bar.tsx";
import { buttonLook } from "../../ui/button.tsx";
import { useNow } from "../../ui/now.ts";
import { ReadyBy } from "./card.tsx";
import { Encodes } from "./encodes.tsx";
import { COLOURS, Glyph } from "./glyph.tsx";
import { Releases } from "./releases.tsx";
import { saysTheSame } from "./same-words.ts";
import { dayOf, standingOf } from "./standing.ts";
import { failedOf } from "./target-facts.ts";
import { Targets } from "./targets.tsx";

const texts = words.media.request;

interface Props {
  readonly item: MediaRequest["items"][number];
  /** What is said of the request above it: of a film that is the same, and need not be said twice. */
  readonly told?: string;
}

export function Episode({ item, told }: Props) {
  const now = useNow();
  const { status, progress, sentence, readyBy, airs } = item;
  const standing = standingOf(item, dayOf(now));
  // Done, and yet not where it was to go.
  const isPartly = standing === "ready" && failedOf(item.targets).length > 0;
  return (
    <div className="space-y-4 px-4 pt-1 pb-4">
      <div className="space-y-1.5">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className={`inline-flex items-center gap-1.5 font-medium ${COLOURS[isPartly ? "waiting" : standing]}`}>
            <Glyph standing={isPartly ? "waiting" : standing} className="size-5" />
            <span className="inline-block first-letter:uppercase">
              {isPartly ? words.media.statuses.PARTIAL : words.media.standings[standing]}
            </span>
          </span>
          <span className="font-mono text-xs text-soft">{status}</span>
          {standing === "working" ? <Bar value={progress} label={words.item.progress} /> : null}
          {standing === "not-on" && airs !== null ? <span>{texts.airs(day(airs, now))}</span> : null}
          {readyBy === null || standing === "ready" ? null : (
            <span className="text-sm text-soft">
              <ReadyBy range={readyBy} />
            </span>
          )}
        </p>
        {saysTheSame(sentence, told) ? null : <p dir="auto">{sentence}</p>}
        <Link to="/items/$id" params={{ id: item.item }} className={buttonLook("plain")}>
          {texts.openItem}
        </Link>
      </div>
      <Targets item={item.item} targets={item.targets} />
      <Encodes item={item.item} />
      <div className="-mx-4 border-t border-line px-4">
        <Releases item={item.item} isReady={standing === "ready"} told={sentence} />
      </div>
    </div>
  );
}
