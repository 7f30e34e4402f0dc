// Where a file beside another one lies, whichever form this code runs in: .ts from the sources, .js once built.

export function sibling(name: string, importMetaUrl: string): URL {
  const extension = importMetaUrl.endsWith(".ts") ? ".ts" : ".js";
  return new URL(`./${name}${extension}`, importMetaUrl);
}
