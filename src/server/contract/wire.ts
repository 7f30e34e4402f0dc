// What goes over the wire, as types for whoever asks: made from the contract, so that neither can drift from the other. Types alone;
// no code comes with them.

import type { z } from "@hono/zod-openapi";
import type { acted } from "./acted.ts";
import type { page, problem } from "./common.ts";
import type { done, list } from "./done.ts";
import type { explanation } from "./explanation.ts";
import type { itemView, requestView } from "./item.ts";
import type { itemLine } from "./items.ts";
import type { diagnosis, overview } from "./overview.ts";
import type { estimate, notesPage, visitNotes } from "./past.ts";
import type { pipeline, valve } from "./pipelines.ts";
import type { question } from "./recurring.ts";
import type { serviceState, workerState } from "./services.ts";
import type { submitted } from "./submit.ts";

export type Acted = z.infer<typeof acted>;
export type Diagnosis = z.infer<typeof diagnosis>;
export type Done = z.infer<typeof done>;
export type Estimate = z.infer<typeof estimate>;
export type Explanation = z.infer<typeof explanation>;
export type Item = z.infer<typeof itemView>;
export type ItemLine = z.infer<typeof itemLine>;
export type List<Entry> = z.infer<ReturnType<typeof list<z.ZodType<Entry>>>>;
export type NotesPage = z.infer<typeof notesPage>;
export type Overview = z.infer<typeof overview>;
export type Page<Entry> = z.infer<ReturnType<typeof page<z.ZodType<Entry>>>>;
export type Pipeline = z.infer<typeof pipeline>;
export type Problem = z.infer<typeof problem>;
export type Question = z.infer<typeof question>;
export type Request = z.infer<typeof requestView>;
export type Service = z.infer<typeof serviceState>;
export type Submitted = z.infer<typeof submitted>;
export type Valve = z.infer<typeof valve>;
export type VisitNotes = z.infer<typeof visitNotes>;
export type Worker = z.infer<typeof workerState>;
