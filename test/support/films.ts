// A pipeline that delivers a film to servers, each of which is a part, and servers that fail as told.

import { z } from "zod";
import { done } from "../../src/engine/pipeline/outcome.ts";
import type { PartsPolicy } from "../../src/engine/pipeline/parts.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { service } from "../../src/engine/pipeline/service.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";
import type { ItemId } from "../../src/kit/index.ts";

export const film = z.object({ title: z.string(), targets: z.array(z.string()) });

/** Servers that remember what they were given. */
export class Servers {
  readonly calls: string[] = [];
  readonly copies = new Map<string, string>();
  readonly faults = new Map<string, () => unknown>();

  /** What the function answers with is thrown; undefined lets it through. */
  failing(name: string, fault: () => unknown): this {
    this.faults.set(name, fault);
    return this;
  }

  async store(name: string, title: string): Promise<string> {
    this.calls.push(name);
    const fault = this.faults.get(name)?.();
    if (fault !== undefined) throw fault;
    this.copies.set(name, title);
    return `/${name}/${title}`;
  }

  async remove(name: string): Promise<void> {
    this.calls.push(`remove ${name}`);
    const fault = this.faults.get(`remove ${name}`)?.();
    if (fault !== undefined) throw fault;
    this.copies.delete(name);
  }

  /** How often it was asked for this. */
  count(call: string): number {
    return this.calls.filter((one) => one === call).length;
  }
}

const servers = service.each<Servers>("server");

const films = (policy: PartsPolicy) =>
  definePipeline("films", { version: 1, input: film })
    .stage("encode", { run: ({ input }) => done({ file: `${input.title}.mkv` }) })
    .stage("deliver", {
      parts: ({ input }) => input.targets,
      policy,
      uses: servers,
      attempts: 3,
      backoff: { base: "1m", cap: "1m" },
      run: async ({ part, out, call }) =>
        done({ at: await call(servers(part), (s) => s.store(part, out.encode.file)) }),
      undo: async ({ part }, client) => client.remove(part),
    })
    .stage("tell", { run: ({ out }) => done({ delivered: out.deliver.delivered.length }) });

export async function openFilms(client: Servers, targets: readonly string[], policy: PartsPolicy = "best-effort") {
  const pipeline = films(policy);
  const t = await testSluice({ pipelines: [pipeline], services: { server: () => client } });
  const request = await t.submit(pipeline, [{ title: "Alien", targets: [...targets] }]);
  const [item] = request.items;
  if (item === undefined) throw new Error("nothing was submitted");
  return { t, item, request: request.request };
}

export async function partOf(t: TestSluice, item: ItemId, name: string): Promise<ItemId> {
  const found = (await t.sluice.item(item)).parts.find((part) => part.name === name);
  if (found === undefined) throw new Error(`there is no part ${name}`);
  return found.id;
}
