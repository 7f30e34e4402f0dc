/** A service that does long work behind a plain HTTP job API. */
export { LOOK_LIMIT, lookCalls } from "./batches.ts";
export { type Call, type FakeJobs, type FakeJobsOptions, fakeJobs } from "./fake-jobs.ts";
export { type ContractCase, type ContractWorld, httpJobContract } from "./http-job.contract.ts";
export { type HttpJobsOptions, httpJobs } from "./http-jobs.ts";
export { type GroundTruth, type JobLie, JobWorld, type JobWorldOptions } from "./job-world.ts";
export { type JobStatus, toSeen, type WireJob } from "./wire.ts";
