// What has to be known of a film to encode it. What `videoProbe()` tells is enough; what is optional here makes it better.

export interface FilmFacts {
  /** As ffprobe calls it: "matroska,webm". */
  readonly format: string;
  readonly durationMs: number | null;
  /** In the order of the file: a stream's place is the number ffmpeg knows it by. */
  readonly streams: readonly FilmStream[];
  /** Where the last packet of film that is there begins. */
  readonly lastPacketMs: number | null;
}

export interface FilmStream {
  readonly kind: "video" | "audio" | "subtitle" | "other";
  readonly codec: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly language: string | null;
  /** A picture that comes along, such as a cover. */
  readonly isPicture: boolean;
  /** As ffmpeg calls it: "yuv420p10le". */
  readonly pixelFormat?: string | null;
  /** Pictures in a second. */
  readonly frameRate?: number | null;
}

/** The stream that is the film; a cover is none. */
export function filmOf({ streams }: Pick<FilmFacts, "streams">): FilmStream | undefined {
  return streams.find(({ kind, isPicture }) => kind === "video" && !isPicture);
}
