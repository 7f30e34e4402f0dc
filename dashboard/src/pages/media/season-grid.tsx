// A series as boxes, an episode each. The one that is open is in the address, and shows below its season.

import { getRouteApi } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import type { MediaRequest } from "../../../../src/server/contract/wire.ts";
import { day, percent } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { useNow } from "../../ui/now.ts";
import { Panel } from "../../ui/panel.tsx";
import { Episode } from "./episode.tsx";
import { COLOURS, Glyph } from "./glyph.tsx";
import { type Season, seasonsOf } from "./seasons.ts";
import { Counts } from "./squares.tsx";
import { dayOf, standingOf } from "./standing.ts";

const texts = words.media.request;
const route = getRouteApi("/inside/media/requests/$request");
type Item = MediaRequest["items"][number];

const boxId = (item: string) => `box-${item}`;

export function SeasonGrid({ items }: { readonly items: readonly Item[] }) {
  const { item: opened } = route.useSearch();
  const navigate = route.useNavigate();
  const open = (item: string | undefined) =>
    void navigate({ search: item === undefined ? {} : { item }, replace: true, resetScroll: false });
  const close = (item: string) => {
    open(undefined);
    document.getElementById(boxId(item))?.focus();
  };
  return seasonsOf(items).map((season) => (
    <SeasonPanel key={season.season} season={season} opened={opened} onOpen={open} onClose={close} />
  ));
}

interface SeasonProps {
  readonly season: Season;
  readonly opened: string | undefined;
  readonly onOpen: (item: string | undefined) => void;
  readonly onClose: (item: string) => void;
}

function SeasonPanel({ season: { season, episodes }, opened, onOpen, onClose }: SeasonProps) {
  const shown = episodes.find(({ item }) => item === opened);
  return (
    <Panel title={words.media.season(season)} aside={<Counts items={episodes} />}>
      <ul
        aria-label={texts.episodesOf(season)}
        className="grid grid-cols-[repeat(auto-fill,minmax(3.5rem,1fr))] gap-1.5 px-4 pt-1 pb-4"
      >
        {episodes.map((item) => (
          <li key={item.item}>
            <Box
              item={item}
              isOpen={item.item === opened}
              onPress={() => onOpen(item.item === opened ? undefined : item.item)}
            />
          </li>
        ))}
      </ul>
      {shown === undefined ? null : <Opened key={shown.item} item={shown} onClose={() => onClose(shown.item)} />}
    </Panel>
  );
}

interface BoxProps {
  readonly item: Item;
  readonly isOpen: boolean;
  readonly onPress: () => void;
}

function Box({ item, isOpen, onPress }: BoxProps) {
  const now = useNow();
  const standing = standingOf(item, dayOf(now));
  const more = standing === "working" ? percent(item.progress) : standing === "not-on" ? day(item.airs ?? "", now) : "";
  const name = texts.box(texts.episode(item.episode, item.name), words.media.standings[standing], more);
  return (
    <button
      id={boxId(item.item)}
      type="button"
      aria-label={name}
      title={name}
      aria-expanded={isOpen}
      onClick={onPress}
      className="flex min-h-14 w-full flex-col items-center justify-center rounded-md border border-line bg-panel px-0.5 py-1 hover:border-edge hover:bg-sunk aria-expanded:border-accent aria-expanded:bg-sunk"
    >
      <span className="inline-flex items-center gap-1 font-semibold tabular-nums">
        <Glyph standing={standing} /> {item.episode}
      </span>
      {more === "" ? null : <span className={`text-xs tabular-nums ${COLOURS[standing]}`}>{more}</span>}
    </button>
  );
}

function Opened({ item, onClose }: { readonly item: Item; readonly onClose: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const name = texts.episode(item.episode, item.name);
  // Whoever pressed a box goes on reading here.
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-label={name} className="border-t border-line">
      <header className="flex items-start justify-between gap-2 px-4 pt-3">
        <h3 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none" dir="auto">
          {name}
        </h3>
        <Button kind="quiet" aria-label={texts.closeOf(name)} onClick={onClose}>
          <X aria-hidden className="size-4" /> {texts.close}
        </Button>
      </header>
      <Episode item={item} />
    </section>
  );
}
