// What became of the encode for one profile: a part of the stage `encode`, by the profile's name.

export type Encoded = EncodedFile | KeptSource;

export interface EncodedFile {
  readonly kind: "made";
  /** On our own disk. */
  readonly path: string;
  readonly bytes: number;
  readonly sourceBytes: number;
  readonly durationMs: number;
  readonly width: number;
  readonly height: number;
  /** Who made it. */
  readonly encoder: string;
}

/** Nothing was made: what was downloaded is delivered, and people are told why. */
export interface KeptSource {
  readonly kind: "same" | "larger";
  readonly reason: string;
}
