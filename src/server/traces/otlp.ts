// Sending spans over OTLP/HTTP with the official exporter, which reads the rest of its settings (headers, compression, time limits)
// from the standard environment itself. Loaded only where somebody wants traces.

import type { PlainSpan } from "./spans.ts";

export interface OtlpOptions {
  /** Where traces go, `…/v1/traces`. Undefined: as the environment says. */
  readonly url?: string | undefined;
  readonly serviceName: string;
  readonly version: string;
}

export interface SpanSender {
  /** Rejects when they did not arrive. */
  send(spans: readonly PlainSpan[]): Promise<void>;
  close(): Promise<void>;
}

const SEND_MS = 10_000;

export async function otlpSender({ url, serviceName, version }: OtlpOptions): Promise<SpanSender> {
  const [{ OTLPTraceExporter }, { resourceFromAttributes }, { SpanKind, SpanStatusCode, TraceFlags }] =
    await Promise.all([
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/resources"),
      import("@opentelemetry/api"),
    ]);
  const exporter = new OTLPTraceExporter({ timeoutMillis: SEND_MS, ...(url === undefined ? {} : { url }) });
  const shared = {
    kind: SpanKind.INTERNAL,
    resource: resourceFromAttributes({ "service.name": serviceName, "service.version": version }),
    instrumentationScope: { name: "sluice", version },
    links: [],
    ended: true,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
  type Readable = Parameters<typeof exporter.export>[0][number];
  const readable = (span: PlainSpan): Readable => {
    const { traceId, spanId, parentId, name, startMs, endMs, error, attributes, moments } = span;
    const context = (id: string) => ({ traceId, spanId: id, traceFlags: TraceFlags.SAMPLED });
    return {
      ...shared,
      ...{ name, attributes, startTime: hrTime(startMs), endTime: hrTime(endMs), duration: hrTime(endMs - startMs) },
      spanContext: () => context(spanId),
      ...(parentId === undefined ? {} : { parentSpanContext: context(parentId) }),
      status: error === undefined ? { code: SpanStatusCode.OK } : { code: SpanStatusCode.ERROR, message: error },
      events: moments.map((one) => ({ name: one.name, time: hrTime(one.atMs), attributes: one.attributes })),
    };
  };
  return {
    send: (spans) =>
      new Promise((resolve, reject) => {
        exporter.export(spans.map(readable), ({ code, error }) => {
          if (code === 0) resolve();
          else reject(error ?? new Error("the exporter said no more than that it failed"));
        });
      }),
    close: () => exporter.shutdown(),
  };
}

function hrTime(ms: number): [number, number] {
  return [Math.trunc(ms / 1_000), Math.round((ms % 1_000) * 1_000_000)];
}
