// What an encoder does for a stage, on this machine or another. A job goes on when whoever started it is gone.

import type { CallOptions, Listed, Seen } from "../kit/index.ts";
import type { EncodingProfile, VideoCodec } from "./profile.ts";
import type { EncodeProgress } from "./progress.ts";

export interface Encoder {
  about(signal?: AbortSignal): Promise<EncoderAbout>;
  /** The same key is the same job, however often it is asked for and by whom. */
  start(order: EncodeOrder, call?: CallOptions): Promise<string>;
  /** What was started under this key, by an earlier life of this process for instance. */
  adopt(key: string, call?: CallOptions): Promise<string | null>;
  /** An answer for every ref. Cheap: small files are read, and nothing is asked of ffmpeg. */
  look(refs: readonly string[], call?: CallOptions): Promise<readonly SeenEncode[]>;
  /**
   * Ends it with everything it has started, and takes away what is half written. What is gone already is a success; a film that has its
   * final name stays.
   */
  cancel(ref: string, call?: CallOptions): Promise<void>;
  /** All jobs whose key begins so, or a fault; never half a list. */
  list(prefix: string, call?: CallOptions): Promise<readonly Listed[]>;
}

export interface EncodeOrder {
  readonly key: string;
  /** Both are absolute paths, as the encoder sees its disk. */
  readonly input: string;
  /** There is nothing by this name until all of it is there and checked. */
  readonly output: string;
  readonly profile: EncodingProfile;
}

export interface EncoderAbout {
  readonly program: string;
  readonly version: string;
  /** What it has really encoded a picture with. */
  readonly codecs: readonly VideoCodec[];
  readonly audioCodecs: readonly ("aac" | "opus")[];
  /** How many jobs it is meant to have at a time. It does not refuse more. */
  readonly slots: number;
  /** Whether ffmpeg runs without a network; otherwise it only has no protocol to use one with. */
  readonly hasNoNetwork: boolean;
}

export interface SeenEncode extends Seen {
  /** While it runs. */
  readonly details?: EncodeProgress;
  /** Where it is done. */
  readonly output?: EncodeOutcome;
}

export type EncodeOutcome =
  | {
      readonly kind: "made";
      readonly file: string;
      readonly bytes: number;
      readonly sourceBytes: number;
      readonly durationMs: number;
      readonly width: number;
      readonly height: number;
      /** Kept because it was asked for. */
      readonly isLarger: boolean;
    }
  /** Nothing was kept: the source is the better file. */
  | { readonly kind: "larger"; readonly bytes: number; readonly sourceBytes: number; readonly reason: string };
