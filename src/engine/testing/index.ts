// `sluice/testing`: for tests of pipelines.

export { type TestSluice, type TestSluiceOptions, testSluice } from "./test-sluice.ts";
