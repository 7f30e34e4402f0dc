// What may be submitted at most, and the defaults of what may be left out.

export const DEFAULT_PRIORITY = 3;
export const PRIORITY_BEST = 1;
export const PRIORITY_WORST = 5;

/** Input, output and checkpoint may be this large each. Larger things are files with a reference. */
export const VALUE_BYTES = 64 * 1024;
/** Items in one call. */
export const ITEMS_MOST = 10_000;
/** All inputs of one call together: they travel in one statement, and stand several times in memory on both sides. */
export const SUBMIT_BYTES = 64 * 1024 * 1024;
/** For the schema to answer, all inputs of a call together. It may ask somebody, and that one may never answer. */
export const SCHEMA_MS = 30_000;
export const KEY_BYTES = 512;
export const OWNER_BYTES = 256;
