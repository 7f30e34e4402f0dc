// Looks at an OpenAPI document as its readers do: what it has, where it leads, and what no value could ever be.

import type { ApiDocument, Schema, Operation as Told } from "../../src/server/docs/api-document.ts";

export interface Operation extends Told {
  readonly operationId?: string;
  readonly security: readonly { readonly [scheme: string]: unknown }[];
}

export interface OpenApi extends ApiDocument {
  readonly openapi: string;
  readonly components: ApiDocument["components"] & { readonly securitySchemes: { readonly [name: string]: unknown } };
}

export function operationsIn({ paths }: OpenApi) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...{ path, method: method.toUpperCase(), where: `${method.toUpperCase()} ${path}` },
      operation: operation as Operation, // what the page does not read of it stands there all the same
    })),
  );
}

/** Every object in it. */
export function* objectsIn(value: unknown): Generator<{ readonly [key: string]: unknown }> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as { [key: string]: unknown };
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

export function lookedUp(document: unknown, ref: string): unknown {
  const steps = ref.replace(/^#\//, "").split("/");
  return steps.reduce<unknown>(
    (at, step) => (typeof at === "object" && at !== null ? (at as { [key: string]: unknown })[step] : undefined),
    document,
  );
}

/** Of shapes that have to hold at once, those that are closed to what another one has. */
export function impossibleIn(document: OpenApi): Schema[] {
  const meant = (schema: Schema) =>
    schema.$ref === undefined ? schema : (lookedUp(document, schema.$ref) as Schema | undefined);
  return [...objectsIn(document)].filter(({ allOf }) => {
    const shapes = Array.isArray(allOf) ? (allOf as Schema[]).map(meant) : [];
    const names = new Set(shapes.flatMap((shape) => Object.keys(shape?.properties ?? {})));
    return shapes.some((shape) => shape?.additionalProperties === false && names.size > count(shape.properties));
  });
}

const count = (properties: object = {}) => Object.keys(properties).length;
