// What somebody takes, and what they like better. Checked where it enters, with a sentence for everything that is wrong in it. Pure.
import { z } from "zod";
import { RESOLUTIONS, SOURCES } from "./release-name.ts";
import { CODECS, LANGUAGE_CODES } from "./vocabulary.ts";

/** None of these can be played or encoded as they are, so no profile may ask for them. */
const PLAYABLE = SOURCES.filter((source) => source !== "disc");

const inOrder = <Word extends string>(words: readonly Word[], what: string) =>
  z
    .array(
      z.enum(words, {
        error: (issue) => `${JSON.stringify(issue.input)} is no ${what}; there are ${words.join(", ")}`,
      }),
    )
    .min(1, `allow at least one ${what}: ${words.join(", ")}`)
    .refine((list) => new Set(list).size === list.length, `each ${what} once: the order says which is liked better`);

const megabytes = (what: string) =>
  z
    .number({ error: `${what} is a number of megabytes` })
    .positive(`${what} has to be more than 0`)
    .max(10_000_000);

const word = z
  .string()
  .trim()
  .min(1, "an empty word is in every name")
  .max(60, "a word of more than 60 characters is in no name");
const words = z.array(word).max(100, "at most 100 words");

export const qualityProfileSchema = z
  .strictObject({
    name: z.string().trim().min(1, "a profile needs a name").max(60).default("standard"),
    /** Liked best first; others are refused. */
    resolutions: inOrder(RESOLUTIONS, "resolution").default(["1080p", "720p"]),
    sources: inOrder(PLAYABLE, "source").default(["bluray", "webdl", "webrip", "tv"]),
    /** A name that tells no codec is taken, after those that do. */
    codecs: inOrder(CODECS, "codec").default(["h265", "h264"]),
    minMbPerMinute: megabytes("minMbPerMinute").default(2),
    /** Of two that are alike in all else, the nearer. */
    preferredMbPerMinute: megabytes("preferredMbPerMinute").default(40),
    maxMbPerMinute: megabytes("maxMbPerMinute").default(200),
    /** Of one film or episode, also where nobody knows how long it runs. */
    minMb: megabytes("minMb").default(30),
    maxMb: megabytes("maxMb").default(40_000),
    bannedGroups: words.default([]),
    /** Each of them has to be there. */
    requiredWords: words.default([]),
    forbiddenWords: words.default(["3D", "HSBS", "HOU"]),
    /** "original" is the one it was made in; a name that tells none is taken for that. */
    languages: z
      .array(
        z.enum(["original", ...LANGUAGE_CODES], {
          error: (issue) =>
            `${JSON.stringify(issue.input)} is no language here; write "original" or two letters, such as "en"`,
        }),
      )
      .min(1, 'allow at least one language; ["original"] is the one it was made in')
      .default(["original", "en"]),
    minimumSeeders: z.number().int("minimumSeeders is a whole number").min(0).max(10_000).default(1),
    preferPropers: z.boolean().default(true),
  })
  .superRefine((profile, context) => {
    const ordered = ["minMbPerMinute", "preferredMbPerMinute", "maxMbPerMinute"] as const;
    ordered.slice(1).forEach((name, place) => {
      const lower = ordered[place] ?? name;
      if (profile[lower] <= profile[name]) return;
      context.addIssue({
        code: "custom",
        path: [name],
        message: `${name} has to be at least ${lower}, ${profile[lower]}`,
      });
    });
    if (profile.minMb > profile.maxMb) {
      context.addIssue({
        code: "custom",
        path: ["maxMb"],
        message: `maxMb has to be at least minMb, ${profile.minMb}`,
      });
    }
    const both = profile.requiredWords.filter((each) =>
      profile.forbiddenWords.some((other) => isSameWord(each, other)),
    );
    if (both.length > 0) {
      context.addIssue({
        code: "custom",
        path: ["requiredWords"],
        message: `${both.join(", ")}: required and forbidden`,
      });
    }
  });

const isSameWord = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export type QualityProfile = z.output<typeof qualityProfileSchema>;
/** Everything has a default. */
export type QualityProfileInput = z.input<typeof qualityProfileSchema>;

export const standardProfile: QualityProfile = qualityProfileSchema.parse({});
