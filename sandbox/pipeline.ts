// The demo pipeline: fetch → convert → publish to three targets. Its limits are short, because somebody watches; elsewhere the
// engine's own, of minutes and hours, would do.

import { z } from "zod";
import { supervised } from "../src/connectors/index.ts";
import { again, ask, definePipeline, done, service, wait } from "../src/engine/index.ts";
import type { Maker, Source } from "./clients.ts";

export const TARGETS = ["library", "website", "archive"] as const;

/** What a fetch notes that does not begin at the beginning. */
export const RESUMED = "goes on from its checkpoint";

/** The first refused call opens it, so that nothing is left waiting for a service that came back long ago. */
const breaker = { failures: 1, items: 1, cooldown: "3s" } as const;
const patience = { attempts: 10, backoff: { base: "1s", cap: "10s", jitter: "10%" } } as const;
const stall = { never: "8s", stopped: "8s" } as const;

export const source = service<Source>("source", { breaker });
export const converter = service<Maker>("converter", { capacity: 6, breaker });
export const publishers = service.each<Maker>("publisher", { capacity: 6, breaker });

const input = z.object({
  title: z.string().min(1),
  year: z.number().int(),
  megabytes: z.number().min(1),
  /** There are two cuts of it, and a person says which is wanted. */
  asks: z.boolean().default(false),
});
const checkpoint = z.object({ megabytes: z.number() });
const made = z.object({ file: z.string(), bytes: z.number() });

export const films = definePipeline("films", {
  version: 1,
  input,
  title: ({ title, year }) => `${title} (${year})`,
})
  .stage("fetch", {
    ...patience,
    uses: source,
    async run({ input: film, checkpoint: saved, because, call, signal, progress, log }) {
      if (film.asks && because.answer === undefined)
        return ask(`There are two cuts of ${film.title}. Which one is to be published?`, {
          options: ["the restored one", "the one shown in cinemas"],
          fallback: { answer: "the restored one", after: "1m" },
        });
      let have = checkpoint.safeParse(saved.value).data?.megabytes ?? 0;
      if (have > 0) log.info(RESUMED, { megabytes: have });
      while (have < film.megabytes) {
        const piece = await call(source, (client) => client.piece(nameOf(film), have, signal));
        // Nothing comes at the moment: nobody waits in a loop for it.
        if (piece === 0) return again("2s");
        have = Math.min(film.megabytes, have + piece);
        await saved.save({ megabytes: have });
        progress((100 * have) / film.megabytes);
      }
      return done({ name: nameOf(film), megabytes: have });
    },
  })
  .stage("convert", {
    ...supervised,
    ...patience,
    outside: converter,
    every: "1s",
    stall,
    start: ({ key, out, signal }, client) => client.start({ key, input: out.fetch }, { signal }),
    async finish({ call }, { output }) {
      const { file } = made.parse(output);
      return (await call(converter, (client) => client.has(file))) ? done({ file }) : notThere();
    },
  })
  .stage("publish", {
    ...supervised,
    ...patience,
    parts: () => TARGETS,
    policy: "best-effort",
    outside: publishers,
    every: "1s",
    stall,
    start: ({ key, out, signal }, client) => client.start({ key, input: out.fetch }, { signal }),
    async finish({ call, part }, { output }) {
      const { file } = made.parse(output);
      return (await call(publishers(part), (client) => client.has(file))) ? done({ file }) : notThere();
    },
  });

/** It says that it is done, and what it made cannot be found. */
const notThere = () => wait("not_there", { again: "1s" });

/** As files are called. */
function nameOf({ title, year }: { readonly title: string; readonly year: number }): string {
  const plain = title
    .normalize("NFKD")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return `${plain || "film"}-${year}`.slice(0, 80);
}
