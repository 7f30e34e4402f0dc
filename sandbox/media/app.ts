// The media application as this world opens it: the same in its server, in its worker, and in the children of that.

import type { DocumentsApp } from "../../src/apps/documents/index.ts";
import { type MediaApp, type MediaLimits, mediaApp } from "../../src/apps/media/index.ts";
import type { Tables } from "../../src/engine/index.ts";
import { keyFile } from "../../src/server/secrets/key-file.ts";
import { Secrets } from "../../src/server/secrets/secrets.ts";

/** Limits that somebody can watch: elsewhere they are minutes and hours. */
export const WATCHED_LIMITS: Partial<MediaLimits> = {
  ...{ every: "1s", torrents: 8, stallNever: "12s", stallStopped: "12s", searchAgain: "20s", indexerRate: "20/s" },
  ...{ answersFresh: "5s", attempts: 10, backoff: { base: "1s", cap: "10s", jitter: "10%" } },
  breaker: { failures: 1, items: 1, cooldown: "3s" },
  ...{ encodeEvery: "1s", encodeStopped: "10s", encoderLost: "6s", encoderSays: "1s", fullAgain: "5s" },
};

export interface SandboxAppOptions {
  readonly tables: () => Promise<Tables>;
  /** What secrets are sealed with. */
  readonly keyFile: string;
  /** Where films are encoded to. */
  readonly encodes: string;
  readonly limits: Partial<MediaLimits>;
}

export async function sandboxMedia({ tables, keyFile: file, encodes, limits }: SandboxAppOptions): Promise<MediaApp> {
  const { keyring } = await keyFile(file);
  const secrets = async () => new Secrets(await tables(), keyring);
  return mediaApp({
    ...{ tables, limits, encodes },
    secrets: {
      get: async (...asked) => (await secrets()).get(...asked),
      put: async (...asked) => (await secrets()).put(...asked),
      forget: async (...asked) => (await secrets()).forget(...asked),
    },
  });
}

/** What an engine is opened with for films, and for documents where there are any. */
export function together(media: MediaApp, documents: DocumentsApp | undefined) {
  return {
    pipelines: [...media.pipelines, ...(documents?.pipelines ?? [])],
    finders: media.finders,
    services: { ...media.services, ...documents?.services },
  };
}
