// Items as a table. Pure.

import type { ItemLine } from "../../server/contract/wire.ts";
import { bar, percent } from "./bar.ts";
import { stateColour } from "./paint.ts";
import type { Column } from "./table.ts";
import { cutTo } from "./text.ts";
import { lasted } from "./when.ts";

const BAR = 8;
const WIDE = 100;
/** A sentence is as long as it likes; the other columns need so much. */
const WHY_LEAVES = 92;
const WHY_LEAST = 24;

/** A bar takes room that the key needs more. */
export function itemColumns(now: Date, width: number): readonly Column<ItemLine>[] {
  const progress = (part: number) => (width < WIDE ? percent(part) : `${bar(part, BAR)} ${percent(part).padStart(5)}`);
  return [
    { title: "id", value: (item) => item.id },
    { title: "state", value: (item) => item.state, colour: (item) => stateColour(item.state) },
    { title: "pipeline/stage", value: (item) => `${item.pipeline}/${item.stage}`, least: 8 },
    {
      title: width < WIDE ? "%" : "progress",
      isRight: true,
      value: (item) => item.progress,
      shown: (item) => (isOver(item) ? "" : progress(item.progress)),
    },
    { title: "since", value: (item) => item.since, shown: (item) => lasted(item.since, now) },
    {
      title: "why",
      value: wordOf,
      shown: (item) => (width < WIDE ? shortWhy(item) : cutTo(longWhy(item), Math.max(WHY_LEAST, width - WHY_LEAVES))),
      colour: (item) => (item.state === "failed" ? "red" : undefined),
      least: 8,
    },
    { title: "title/key", value: (item) => item.title ?? item.key ?? item.part ?? "", shown: nameOf, least: 18 },
    // For programs; people see it with the part's name.
    { title: "part of", value: (item) => item.partOf ?? "", shown: () => "" },
  ];
}

function nameOf({ title, key, part, partOf }: ItemLine): string {
  return part === null ? (title ?? key ?? "") : `${part}${partOf === null ? "" : ` of ${shortId(partOf)}`}`;
}

/** As it may be typed, too. */
const shortId = (id: string) => id.replace(/_0+(?=.)/, "_");

const isOver = ({ state }: ItemLine) => state === "done" || state === "failed" || state === "cancelled";

const wordOf = ({ state, lastError, reason }: ItemLine) =>
  (state === "failed" || state === "cancelled" ? lastError?.code : reason) ?? "";

function shortWhy(item: ItemLine): string {
  const { state, attempts, maxAttempts } = item;
  const word = wordOf(item) === state ? "" : wordOf(item);
  const tries =
    attempts > 0 && !["done", "cancelled"].includes(state)
      ? ` ${attempts}${maxAttempts === null ? "" : `/${maxAttempts}`}`
      : "";
  return `${word}${tries}`.trim();
}

function longWhy(item: ItemLine): string {
  const sentence = item.wait?.sentence ?? "";
  return [shortWhy(item), sentence].filter((text) => text !== "").join(": ");
}
