import { readFile } from "node:fs/promises";

/** From the package's own package.json, two folders up both in the sources and in what is published. */
export async function packageVersion(): Promise<string> {
  const text = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
