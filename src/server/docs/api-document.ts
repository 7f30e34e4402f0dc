// As much of an OpenAPI document as the page reads.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly example?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

export interface Content {
  readonly [type: string]: { readonly schema?: Schema };
}

export interface Operation {
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Content };
  readonly responses?: { readonly [status: string]: { readonly description?: string; readonly content?: Content } };
  /** Who may use it. */
  readonly "x-right"?: string;
}

export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
  readonly components?: { readonly schemas?: { readonly [name: string]: Schema } };
}

export interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** What people come for stands first, what they need once last; what is not named here stands between. */
const FIRST = ["overview", "items", "requests", "actions", "questions", "pipelines", "services"];
const LAST = ["settings", "access", "health", "contract"];

/** By their first tag. */
export function routesByTag({ paths }: ApiDocument): ReadonlyMap<string, readonly Route[]> {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const groups = Map.groupBy(routes, ({ operation }) => operation.tags?.[0] ?? "other");
  const between = [...groups.keys()].filter((tag) => !FIRST.includes(tag) && !LAST.includes(tag));
  const tags = [...FIRST, ...between, ...LAST];
  return new Map(tags.flatMap((tag) => (groups.has(tag) ? [[tag, groups.get(tag) ?? []] as const] : [])));
}

export function anchorOf({ method, path }: Pick<Route, "method" | "path">): string {
  return `${method} ${path}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/-$/, "");
}

export const schemaAnchor = (name: string) => `schema-${name}`;

export function refName({ $ref }: Schema): string | undefined {
  return $ref?.replace("#/components/schemas/", "");
}
