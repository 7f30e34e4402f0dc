// Whether a sentence was read just above. Two answers of the server tell the same a moment apart. Pure.

/** "13:20 UTC (33 s)", "in 2 s": what passes between two looks. */
const PASSING = /\d\d:\d\d|\([^)]*\)|\d+ %/g;

export const saysTheSame = (sentence: string, told: string | undefined): boolean =>
  told !== undefined && sentence.replace(PASSING, "") === told.replace(PASSING, "");
