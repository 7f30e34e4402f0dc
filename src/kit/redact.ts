// Secrets that stand in texts of others: addresses, headers and messages that a stage or a service puts into an error or a
// log line. What is stored of them is read by more people than may know them. By name and place only: a secret that nothing
// around it gives away cannot be told from any other word.

const HIDDEN = "***";
/** Words in the name of what is secret. */
export const SECRET_WORDS =
  "password|passwd|passphrase|passkey|pwd|secret|token|(?:api|access|private|idempotency)[-_]?key|authorization|cookie|signature|session[-_]?id";
/** Also as the end of a longer name: X-Plex-Token, client_secret. Limited, for a name without an end would be tried from every letter. */
const NAME = `(?:[\\w.]{0,30}[-_.])?(?:${SECRET_WORDS})`;

const RULES: readonly (readonly [RegExp, string])[] = [
  // ftp://me:word@host
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#@"']{1,300}@/gi, `$1${HIDDEN}@`],
  // Authorization: Bearer …, before the rule that would only hide the word "Bearer". A number or "=" tells it from prose.
  [/\b(bearer|basic)\s+(?=[^\s"']{0,300}[\d=])[\w.~+/=-]{8,}/gi, `$1 ${HIDDEN}`],
  // ?key=…, which outside an address may be anything
  [/([?&]key=)[^\s&#"']+/gi, `$1${HIDDEN}`],
  // password=…, "password":"…", password: …
  [
    new RegExp(`\\b(${NAME}["']?\\s{0,3}[=:]\\s{0,3}["']?)(?!(?:bearer|basic)\\s)[^\\s&;,"'}\\])]+`, "gi"),
    `$1${HIDDEN}`,
  ],
];

const SECRET_NAME = new RegExp(`^${NAME}$`, "i");

export function redactText(text: string): string {
  return RULES.reduce((left, [pattern, by]) => left.replace(pattern, by), text);
}

/** The same in all texts of a JSON value, and whole texts under such a name. */
export function redactJson(json: string): unknown {
  return JSON.parse(json, (name: string, value: unknown) => {
    if (typeof value !== "string") return value;
    return SECRET_NAME.test(name) ? HIDDEN : redactText(value);
  });
}
