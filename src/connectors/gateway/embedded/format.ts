// The XML that our own gateway makes; docs/gateway.md describes it.

export const NAMESPACE = "urn:sluice:document:1";
export const FORMAT_VERSION = "1";

/** `layout`: texts with their places and fonts. `text`: the same texts alone. The first is made where nobody chooses. */
export const MAPPINGS = ["layout", "text"] as const;
export type Mapping = (typeof MAPPINGS)[number];

export const isMapping = (text: string): text is Mapping => (MAPPINGS as readonly string[]).includes(text);

export interface Metadata {
  readonly title?: string;
  readonly author?: string;
  readonly subject?: string;
  readonly keywords?: string;
  readonly creator?: string;
  readonly producer?: string;
  /** As in ISO 8601. */
  readonly created?: string;
  readonly modified?: string;
}

export interface PageFacts {
  readonly number: number;
  /** In points, as it is shown. */
  readonly width: number;
  readonly height: number;
}

export interface TextRun {
  /** In points, from the upper left corner of the page. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly font: { readonly family: string; readonly size: number };
  readonly text: string;
}

export interface OutlineEntry {
  readonly title: string;
  /** Where it leads, if to a page of the same document. */
  readonly page: number | undefined;
  readonly entries: OutlineEntry[];
}
