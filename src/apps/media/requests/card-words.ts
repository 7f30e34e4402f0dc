// How a request of several episodes stands, in a sentence. Pure.

import type { StandingRow } from "./card-items.sql.ts";

const [LIVE, DONE, FAILED, CANCELLED] = [0, 1, 2, 3];

type Row = Omit<StandingRow, "request_id" | "version" | "was_begun" | "progress" | "newest">;

/** "7 of 10 ready, 2 downloading, 1 waits: not on before 21 November." */
export function cardSentence(all: readonly Row[], now: Date): string {
  const rows = all.filter(({ pipeline }) => pipeline === "media");
  const isAsking = all.some(({ pipeline, end_state }) => pipeline === "media-series" && end_state === LIVE);
  const total = count(rows);
  if (total === 0) return isAsking ? "Its episodes are being looked up." : "All that was asked for is there already.";
  const ended = (state: number) => count(rows.filter(({ end_state }) => end_state === state));
  const live = rows.filter(({ end_state }) => end_state === LIVE);
  const pieces = [
    `${ended(DONE)} of ${total} ready`,
    ...LIVING.flatMap(({ word, is }) => piece(count(live.filter(is)), word)),
    ...waits(live.filter(isWaiting), now),
    ...piece(ended(FAILED), "failed"),
    ...piece(ended(CANCELLED), "cancelled"),
  ];
  return `${pieces.join(", ")}${isAsking ? "; more is being looked up" : ""}.`;
}

const count = (rows: readonly Row[]): number => rows.reduce((sum, { items }) => sum + items, 0);
const piece = (items: number, word: string): string[] => (items === 0 ? [] : [`${items} ${word}`]);

const stageOf = ({ stages, stage }: Row): string => stages[stage ?? 0] ?? "";
/** Its work has not begun, and nothing but time or somebody else lets it begin. */
const isWaiting = ({ run_state, reason, is_due, parts_move }: Row): boolean =>
  run_state === 0 && !is_due && reason !== null && !parts_move;

const isIn = (row: Row, ...stages: readonly string[]): boolean => !isWaiting(row) && stages.includes(stageOf(row));

const LIVING: readonly { readonly word: string; readonly is: (row: Row) => boolean }[] = [
  { word: "being delivered", is: (row) => isIn(row, "deliver", "publish") },
  { word: "encoding", is: (row) => isIn(row, "encode") },
  { word: "downloading", is: (row) => isIn(row, "download") && row.has_begun },
  { word: "found", is: (row) => isIn(row, "download") && !row.has_begun },
  { word: "being searched for", is: (row) => isIn(row, "search") && row.has_begun },
  { word: "in line", is: (row) => isIn(row, "search") && !row.has_begun },
];

const REASONS: Readonly<Record<string, (when: string) => string>> = {
  not_aired: (when) => `not on before ${when}`,
  not_available: () => "nobody has it in the wanted quality",
  service_down: () => "for a service that does not answer",
  rate_limited: () => "for a service that asked to slow down",
  backoff: () => "before the next try",
  question: () => "for an answer",
  no_worker: () => "for an encoder",
  encode: () => "for an encoder",
  deliver: () => "for a server",
  publish: () => "for a server",
};

function waits(rows: readonly Row[], now: Date): string[] {
  // What waits for its parts waits for whoever does that stage.
  const byReason = Map.groupBy(rows, (row) => (row.reason === "parts" ? stageOf(row) : (row.reason ?? "")));
  return [...byReason].map(([reason, some]) => {
    const items = count(some);
    // Whoever waits for a day far off looks in between, so its own day is the better word.
    const times = some.flatMap(({ next_at, airs }) => (airs === null ? (next_at?.getTime() ?? []) : Date.parse(airs)));
    const why = REASONS[reason]?.(dayOf(new Date(Math.min(...times)), now)) ?? reason.replaceAll("_", " ");
    return `${items} ${items === 1 ? "waits" : "wait"}: ${why}`;
  });
}

const MONTHS = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];

/** As plain as days of metadata services are. */
function dayOf(at: Date, now: Date): string {
  if (Number.isNaN(at.getTime())) return "its day";
  const day = `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]}`;
  return at.getUTCFullYear() === now.getUTCFullYear() ? day : `${day} ${at.getUTCFullYear()}`;
}
