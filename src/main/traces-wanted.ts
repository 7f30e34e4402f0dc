// Whether traces go anywhere, by the standard environment of OpenTelemetry. Everything else of it the exporter reads itself.

type Environment = Readonly<Record<string, string | undefined>>;

export function tracesWanted(environment: Environment): { readonly serviceName: string } | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = environment;
  const isOff = environment.OTEL_SDK_DISABLED === "true" || environment.OTEL_TRACES_EXPORTER === "none";
  if (isOff || !(all || traces)) return undefined;
  return { serviceName: environment.OTEL_SERVICE_NAME || "sluice" };
}
