// A line of JSON as people read it. Pure.

import { printable } from "../../kit/index.ts";

const COLOURS: { readonly [level: string]: string } = { warn: "\u001b[33m", error: "\u001b[31m" };
const DIM = "\u001b[2m";
const PLAIN = "\u001b[0m";

/** `12:00:01 warn  download fault TIMEOUT  itemId=itm_… attempt=2` */
export function prettyLine(json: string): string {
  const { time, level, msg, event, ...facts } = JSON.parse(json) as Record<string, unknown>;
  const rest = Object.entries(facts)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  const colour = COLOURS[String(level)] ?? "";
  const [clock, word] = [String(time).slice(11, 19), String(level).padEnd(5)];
  // Its colours are ours alone.
  return `${DIM}${clock}${PLAIN} ${colour}${word}${PLAIN} ${printable(String(msg ?? event))}  ${DIM}${printable(rest.join(" "))}${PLAIN}\n`;
}
