// The SQL in a source file: its template literals, with where they stand and what they are called.

export interface Literal {
  readonly name: string;
  /** Where its text begins in the file. */
  readonly start: number;
  /** As it stands in the file; comments and what is put in by `${…}` are blanked out, so that offsets stay true. */
  readonly text: string;
  /** The same, with everything in it. */
  readonly source: string;
  /** The pieces between what is put in: a statement contains the literal if it contains these. */
  readonly pieces: readonly { readonly start: number; readonly text: string }[];
}

export function literalsOf(source: string): Literal[] {
  const found: Literal[] = [];
  for (let at = nextBacktick(source, 0); at >= 0; ) {
    const literal = readLiteral(source, at);
    found.push(literal);
    at = nextBacktick(source, literal.start + literal.text.length + 1);
  }
  return found;
}

/** Backticks in line comments are words about code. */
function nextBacktick(source: string, from: number): number {
  for (let at = source.indexOf("`", from); at >= 0; at = source.indexOf("`", at + 1)) {
    const line = source.slice(source.lastIndexOf("\n", at) + 1, at);
    if (!/^\s*(\/\/|\/?\*)/.test(line) && !line.includes(" // ")) return at;
  }
  return -1;
}

function readLiteral(source: string, backtick: number): Literal {
  const start = backtick + 1;
  const pieces: { start: number; text: string }[] = [];
  let at = start;
  let piece = start;
  while (source[at] !== "`") {
    if (at >= source.length) throw new Error("a literal without an end");
    if (source.startsWith("${", at)) {
      pieces.push({ start: piece, text: source.slice(piece, at) });
      at = source.indexOf("}", at);
      piece = at + 1;
    }
    at += 1;
  }
  pieces.push({ start: piece, text: source.slice(piece, at) });
  const blanked = source
    .slice(start, at)
    .replace(/\$\{[^}]*\}/g, (hole) => `_${" ".repeat(hole.length - 2)}_`)
    .replace(/--[^\n]*/g, (comment) => " ".repeat(comment.length));
  return { name: nameOf(source.slice(0, backtick)), start, text: blanked, source: source.slice(start, at), pieces };
}

function nameOf(before: string): string {
  const statement = /name: "([\w-]+)",\s*text:\s*$/.exec(before.slice(-200))?.[1];
  const constant = /const (\w+)[^=;]*=\s*(?:\([^)]*\) => )?$/.exec(before.slice(-200))?.[1];
  return statement ?? constant ?? "statement";
}
