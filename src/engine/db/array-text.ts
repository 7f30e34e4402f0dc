// Lists as PostgreSQL reads them soonest, most of them arrays in its own notation. The driver would quote and escape every element by
// itself, which took longer than the statement's own time on our side.

export function numbers(list: readonly (string | number)[]): string {
  return `{${list.join(",")}}`;
}

/** Texts that are JSON: quoting them as JSON strings is quoting them as PostgreSQL wants it. */
export function jsonTexts(list: readonly (string | null)[]): string {
  return `{${JSON.stringify(list).slice(1, -1)}}`;
}

/**
 * Texts without line breaks, as JSON of ours is, for `string_to_table`: quotes are not quoted, so there is a sixth less to send, and
 * neither side looks at every character.
 */
export function lines(list: readonly string[]): string {
  return list.join("\n");
}
