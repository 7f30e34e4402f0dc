// Guards whose absence changes nothing that can be observed, each with its proof. An entry that no longer names a guard is an
// error, and so is one whose guard turns out to be missed after all.

export const equivalent: Readonly<Record<string, string>> = {};
