// What an upload sends, as the contract tells it: written out, because the library that makes the rest of it from schemas would also read
// the body by them, whole and into memory.

import type { RouteConfig } from "@hono/zod-openapi";

const MAPPING = {
  type: "string" as const,
  pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$",
  description: "What the converter is to make of it; unset: its first mapping.",
  example: "layout",
};

export const UPLOAD_BODY: NonNullable<RouteConfig["requestBody"]> = {
  required: true,
  content: {
    "multipart/form-data": {
      schema: {
        type: "object",
        required: ["file"],
        properties: {
          mapping: MAPPING,
          file: { type: "array", items: { type: "string", format: "binary" }, description: "PDFs; one part for each." },
        },
      },
    },
    "application/json": {
      schema: {
        type: "object",
        required: ["urls"],
        additionalProperties: false,
        properties: {
          mapping: MAPPING,
          urls: {
            type: "array",
            minItems: 1,
            maxItems: 20,
            items: { type: "string", format: "uri", maxLength: 2000 },
            description: "Fetched by the server, from public addresses alone.",
          },
        },
      },
    },
  },
};
