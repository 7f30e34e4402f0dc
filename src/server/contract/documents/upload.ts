// Uploading documents, and what came of each file, on the wire. Some may be refused while others are taken.

import { z } from "@hono/zod-openapi";
import { itemId, text } from "../common.ts";
import { documentCode, documentView } from "./documents.ts";

export const mappingName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, "letters, digits, . _ and -, 63 at most")
  .openapi({ description: "What the converter is to make of it; unset: its first mapping.", example: "default" });

/** `multipart/form-data`: the field `mapping`, where there is one, in front of the files; any number of `file`. */
export const uploadForm = z.object({
  mapping: mappingName.optional(),
  file: z.string().openapi({ format: "binary", description: "A PDF; may be there several times." }),
});

/** `application/json`: fetched by the server, from public addresses alone. */
export const uploadUrls = z
  .strictObject({
    mapping: mappingName.optional(),
    urls: z
      .array(z.url({ protocol: /^https?$/ }).max(2_000))
      .min(1)
      .max(20),
  })
  .openapi("DocumentUrls");

export const uploadedFile = z
  .object({
    name: text,
    outcome: z.enum(["taken", "deduped", "refused"]).openapi({
      description: "`deduped`: the same file with the same mapping is there already, and was not stored again.",
    }),
    document: documentView.nullable().openapi({ description: "Null where it was refused, and of a dry run." }),
    deduped_from: itemId.nullable().openapi({ description: "The document that was there already." }),
    code: documentCode.nullable().openapi({ description: "Why it was refused." }),
    sentence: z.string(),
    advice: z.string().nullable(),
  })
  .openapi("UploadedFile");

export const uploaded = z
  .object({
    files: z.array(uploadedFile).openapi({ description: "One for each file, in their order." }),
    would: z.string().nullable().openapi({ description: "Of a dry run: what would be done. Else null." }),
  })
  .openapi("Uploaded");

/** Of several, as one zip: those that are named, or all that this account has of them. */
export const archiveQuery = z
  .object({
    ids: z
      .string()
      .max(8_000)
      .optional()
      .openapi({ description: "With commas; unset: the newest that are complete.", example: "itm_0000000000001" }),
    owner: z.enum(["me", "everyone"]).default("me"),
  })
  .strict();

export type UploadedFile = z.infer<typeof uploadedFile>;
export type Uploaded = z.infer<typeof uploaded>;
