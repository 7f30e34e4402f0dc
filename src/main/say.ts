// What a command that goes on tells of itself on standard output: a sentence for people, a line of JSON for programs.

import type { Output } from "./output.ts";

export type Say = (event: string, sentence: string, facts?: object) => void;

export function makeSay({ isJson, text }: Pick<Output, "isJson" | "text">): Say {
  return (event, sentence, facts = {}) => text(isJson ? JSON.stringify({ event, ...facts }) : sentence);
}
