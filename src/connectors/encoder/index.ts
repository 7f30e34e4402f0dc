/** Encoders: what they do for a stage, and those there are. */
export { argsFor } from "./args.ts";
export {
  type EncoderContractCase,
  type EncoderContractWorld,
  encoderContract,
} from "./encoder.contract.ts";
export type { EncodeOrder, EncodeOutcome, Encoder, EncoderAbout, SeenEncode } from "./encoder.ts";
export { type EncodeLie, type EncoderTruth, EncoderWorld, type WorldFilm } from "./encoder-world.ts";
export type { FilmFacts, FilmStream } from "./facts.ts";
export { type EncoderCall, type FakeEncoder, type FakeEncoderOptions, fakeEncoder } from "./fake-encoder.ts";
export {
  ENCODE_LIMITS,
  type FfmpegEncoder,
  type FfmpegEncoderOptions,
  ffmpegEncoder,
  type Recovered,
} from "./ffmpeg-encoder.ts";
export type { EncodeLimits } from "./job.ts";
export {
  type EncodingProfile,
  type EncodingProfileInput,
  encodingProfile,
  type VideoCodec,
} from "./profile.ts";
export { type EncodeProgress, hasMoved, readProgress } from "./progress.ts";
export { skipReason } from "./skip.ts";
export { type KeptStream, keptStreams } from "./streams.ts";
