// What docling-serve says, in types: only what is used, checked where it comes in.

import { z } from "zod";

export const Task = z.object({
  task_id: z.string().regex(/^[\w-]{1,100}$/),
  task_status: z.string(),
  task_position: z.number().nullable().optional(),
});

const Box = z.object({
  l: z.number(),
  t: z.number(),
  r: z.number(),
  b: z.number(),
  coord_origin: z.string().optional(),
});
const Provenance = z.object({ page_no: z.number(), bbox: Box.optional() });
const Ref = z.object({ $ref: z.string() });
const Cell = z.object({
  text: z.string().default(""),
  start_row_offset_idx: z.number(),
  start_col_offset_idx: z.number(),
  row_span: z.number().default(1),
  col_span: z.number().default(1),
  column_header: z.boolean().default(false),
});

const Node = z.object({
  self_ref: z.string(),
  label: z.string().default("text"),
  text: z.string().optional(),
  level: z.number().optional(),
  prov: z.array(Provenance).default([]),
  children: z.array(Ref).default([]),
  data: z.object({ table_cells: z.array(Cell).default([]) }).optional(),
});

export const DoclingDocument = z.object({
  name: z.string().default(""),
  body: Node.partial({ self_ref: true }),
  groups: z.array(Node).default([]),
  texts: z.array(Node).default([]),
  tables: z.array(Node).default([]),
  pictures: z.array(Node).default([]),
  pages: z
    .record(z.string(), z.object({ page_no: z.number(), size: z.object({ width: z.number(), height: z.number() }) }))
    .default({}),
});

export const Result = z.object({
  status: z.string(),
  document: z.object({
    json_content: DoclingDocument.nullable().optional(),
    doctags_content: z.string().nullable().optional(),
    md_content: z.string().nullable().optional(),
  }),
  errors: z.array(z.object({ error_message: z.string() })).default([]),
});

export type DoclingNode = z.infer<typeof Node>;
export type DoclingContent = z.infer<typeof DoclingDocument>;
export type DoclingResult = z.infer<typeof Result>;
