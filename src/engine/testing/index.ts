// `sluice/testing`: for tests of pipelines.

export { Scripted, scripted } from "./scripted.ts";
export { type TestSluice, type TestSluiceOptions, testSluice } from "./test-sluice.ts";
