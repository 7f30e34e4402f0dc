// `sluice/testing`: for tests of pipelines.

export { type Scripted, scripted } from "./scripted.ts";
export { type TestSluice, type TestSluiceOptions, testSluice } from "./test-sluice.ts";
