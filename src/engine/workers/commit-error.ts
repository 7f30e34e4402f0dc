/**
 * What was thrown by code that runs inside a settlement's transaction, unless it was the connection: the items' trouble,
 * to be found by halving. The cause is what was thrown.
 */
export class CommitError extends Error {}
