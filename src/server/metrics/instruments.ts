// Every metric by its name, what it means and its labels. Names, once scraped, are somebody's alerts: they do not change.

import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from "prom-client";
import { type StoredHistogram, storedHistogram } from "./stored-histogram.ts";

const WHOSE = ["pipeline", "version"] as const;

/** From a call that is over at once to a film that is encoded for an hour. */
const WORK_SECONDS = [0.01, 0.05, 0.25, 1, 5, 30, 120, 600, 3_600];
const COMPLETION_SECONDS = [1, 10, 60, 300, 900, 3_600, 14_400, 86_400, 604_800];

export type Instruments = ReturnType<typeof makeInstruments>;

export function makeInstruments(version: string) {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labels: Label[]) =>
    new Counter({ name, help, labelNames: [...labels, ...WHOSE], registers });
  const gauge = <Label extends string>(name: string, help: string, ...labels: Label[]) =>
    new Gauge({ name, help, labelNames: [...labels, ...WHOSE], registers });
  const histogram = <Label extends string>(name: string, help: string, buckets: number[], ...labels: Label[]) =>
    new Histogram({ name, help, buckets, labelNames: [...labels, ...WHOSE], registers });
  const calls: StoredHistogram = storedHistogram(
    "service_call_duration_seconds",
    "How long calls to a service took, however they ended, counted by the workers since the installation began",
  );
  // Not one of the library's own classes, but all that a registry asks of one.
  registry.registerMetric(calls as unknown as Metric);
  collectDefaultMetrics({ register: registry, prefix: "sluice_" });
  const info = {
    name: "sluice_build_info",
    help: "1, with the version of the server",
    labelNames: ["version"] as const,
  };
  new Gauge({ ...info, registers }).set({ version }, 1);
  return {
    registry,
    processed: counter("worker_items_processed_total", "Visits of a stage by what came of them", "worker", "status"),
    duration: histogram(
      "worker_processing_duration_seconds",
      "How long visits of a stage took",
      WORK_SECONDS,
      "worker",
    ),
    items: gauge("pipeline_items_by_status", "Live items by stage and state, up to 10000 each", "stage", "status"),
    requests: gauge(
      "pipeline_requests_by_status",
      "Requests by status: those among the newest 5000, and those of the newest 20000 live items",
      "status",
    ),
    stuck: gauge(
      "pipeline_stuck_items_total",
      "Items that stand still without a reason that passes, by the longest age they have reached, up to 100",
      "stage",
      "status",
      "age",
    ),
    errors: counter("pipeline_errors_total", "Visits that went wrong, by how", "worker", "error_type"),
    retries: counter("pipeline_retries_total", "Further tries, by themselves or asked for", "worker"),
    created: counter("pipeline_jobs_created_total", "Items handed in"),
    completed: counter("pipeline_jobs_completed_total", "Items that came to their end"),
    failed: counter("pipeline_jobs_failed_total", "Items that failed for good", "code"),
    depth: gauge("pipeline_queue_depth", "Items that are due and in nobody's hands, up to 10000", "stage"),
    calls,
    activations: counter("service_breaker_activations_total", "How often a service was found to be down", "service"),
    openSeconds: counter("service_breaker_open_seconds_total", "For how long it was taken to be down", "service"),
    completion: histogram(
      "pipeline_time_to_completion_seconds",
      "From being handed in to being completed",
      COMPLETION_SECONDS,
    ),
    stalls: counter("pipeline_stalls_caught_total", "Outside work that had stopped moving", "worker"),
    resumes: counter(
      "pipeline_checkpoint_resumes_total",
      "Visits that went on from a checkpoint, counted by the workers since the installation began",
      "worker",
    ),
  };
}
