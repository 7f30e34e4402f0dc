// Items by what their texts have in them: title, failure, input. No index leads there; a list looks at so many items, as by other
// terms of that kind, and says where it goes on. All in one parameter, so that the texts of statements stay few.

export interface ItemTexts {
  /** Has one of these in it, in small or capital letters. */
  readonly title: readonly string[] | undefined;
  readonly notTitle: readonly string[] | undefined;
  /** Of its failure; of what lives, of its last fault. */
  readonly message: readonly string[] | undefined;
  readonly notMessage: readonly string[] | undefined;
  /** Of its input: what stands there is one of these. */
  readonly data: readonly { readonly path: readonly string[]; readonly values: readonly string[] }[] | undefined;
  /** A free word, which a title may have in it. */
  readonly word: string | null;
}

const patterns = (texts: string, name: string) => `array (select jsonb_array_elements_text(${texts} -> '${name}'))`;
const has = (texts: string, name: string, text: string) =>
  `(${texts} -> '${name}' is null or ${text} ilike any (${patterns(texts, name)}))`;
const hasNot = (texts: string, name: string, text: string) =>
  `(${texts} -> '${name}' is null or not coalesce(${text} ilike any (${patterns(texts, name)}), false))`;

export const textConditions = (texts: string) => [
  has(texts, "title", "i.title"),
  hasNot(texts, "notTitle", "i.title"),
  has(texts, "message", "last.message"),
  hasNot(texts, "notMessage", "last.message"),
  `(${texts} -> 'data' is null or not exists (
      select from jsonb_to_recordset(${texts} -> 'data') d (path text[], wanted text[])
      where not coalesce(i.input #>> d.path = any (d.wanted), false)))`,
];

export const asksMessage = (texts: string) =>
  `${texts} -> 'message' is not null or ${texts} -> 'notMessage' is not null`;

export const hasWord = (texts: string, title: string) => `coalesce(${title} ilike (${texts} ->> 'word'), false)`;

/** As a pattern that finds it anywhere, and means nothing but itself. */
export const anywhere = (text: string) => `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;

export function textsJson({ title, notTitle, message, notMessage, data, word }: ItemTexts): string {
  return JSON.stringify({
    title: title?.map(anywhere),
    notTitle: notTitle?.map(anywhere),
    message: message?.map(anywhere),
    notMessage: notMessage?.map(anywhere),
    data: data?.map(({ path, values }) => ({ path, wanted: values })),
    word: word === null ? undefined : anywhere(word),
  });
}
