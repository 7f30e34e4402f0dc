// Colours, where they help and are wanted. Pure.

export type Colour = "green" | "red" | "yellow" | "cyan" | "dim" | "bold";
export type Paint = (colour: Colour | undefined, text: string) => string;

const CODES: { readonly [Name in Colour]: readonly [number, number] } = {
  green: [32, 39],
  red: [31, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  dim: [2, 22],
  bold: [1, 22],
};

export const plain: Paint = (_, text) => text;

export const coloured: Paint = (colour, text) => {
  if (colour === undefined || text === "") return text;
  const [on, off] = CODES[colour];
  return `\u001b[${on}m${text}\u001b[${off}m`;
};

/** On a terminal that can, unless somebody asked for none: https://no-color.org. */
export function wantsColour(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  return isTerminal && !env.NO_COLOR && env.TERM !== "dumb" && !env.CI;
}

/** An item's state at a glance. */
export function stateColour(state: string): Colour | undefined {
  switch (state) {
    case "running":
      return "cyan";
    case "done":
      return "green";
    case "failed":
      return "red";
    case "needs-you":
      return "yellow";
    case "cancelled":
      return "dim";
    default:
      return undefined;
  }
}
