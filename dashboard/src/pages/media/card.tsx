// One request in the list: what it is, how it stands, and when it is likely there.

import { Link } from "@tanstack/react-router";
import type { MediaCard } from "../../../../src/server/contract/wire.ts";
import { words } from "../../text/words.ts";
import { Bar } from "../../ui/bar.tsx";
import { useNow } from "../../ui/now.ts";
import { Ago } from "../../ui/time.tsx";
import { StatusBadge } from "./badge.tsx";
import { Poster } from "./poster.tsx";
import { readyWords } from "./ready-by.ts";
import { Squares } from "./squares.tsx";
import { isUnderWay } from "./standing.ts";

const texts = words.media;

export function Card({ card, tellsOwners }: { readonly card: MediaCard; readonly tellsOwners: boolean }) {
  const { request, title, year, poster, status, counts, progress, readyBy, sentence, owners, createdAt, items } = card;
  const name = texts.title(title, year);
  const isOpen = isUnderWay(status);
  return (
    <li className="relative flex gap-3 rounded-lg border border-line bg-panel p-3 focus-within:border-edge hover:border-edge">
      <Poster poster={poster} title={title} />
      <div className="min-w-0 grow space-y-1.5">
        <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
          <h3 className="min-w-0 font-semibold">
            <Link
              to="/media/requests/$request"
              params={{ request }}
              // The whole card leads there, and is one link for who goes by the keyboard.
              className="line-clamp-2 after:absolute after:inset-0 after:rounded-lg"
              dir="auto"
            >
              {name}
            </Link>
          </h3>
          <StatusBadge of={card} />
        </div>
        <Squares items={items} counts={counts} />
        <p className="text-sm" dir="auto">
          {sentence}
        </p>
        <p className="flex flex-wrap items-center gap-x-4 gap-y-0.5 text-sm text-soft">
          {isOpen ? <Bar value={progress} label={texts.progress(name)} /> : null}
          {isOpen && readyBy !== null ? <ReadyBy range={readyBy} /> : null}
          <span dir="auto">
            {tellsOwners && owners.length > 0 ? texts.askedBy(owners) : texts.asked} <Ago at={createdAt} />
          </span>
        </p>
      </div>
    </li>
  );
}

export function ReadyBy({ range }: { readonly range: NonNullable<MediaCard["readyBy"]> }) {
  return <span>{readyWords(range, useNow())}</span>;
}
