import { expect, it } from "vitest";
import { tracesWanted } from "./traces-wanted.ts";

it.each([
  [{}, undefined],
  [{ OTEL_SERVICE_NAME: "films" }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "" }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://otel:4318" }, { serviceName: "sluice" }],
  [
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://otel:4318/v1/traces", OTEL_SERVICE_NAME: "films" },
    { serviceName: "films" },
  ],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://otel:4318", OTEL_SDK_DISABLED: "true" }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://otel:4318", OTEL_TRACES_EXPORTER: "none" }, undefined],
])("%j", (environment, wanted) => expect(tracesWanted(environment)).toEqual(wanted));
