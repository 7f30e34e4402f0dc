/** Of an encoder that comes and, with `isLast`, goes. */
export const ENCODER_WORD = {
  ...{ life: "1", isFirst: true, isLast: false, version: "0.1.0", slots: 2, jobs: [], tried: null },
  self: { program: "ffmpeg", version: "7.0", codecs: ["hevc"], audioCodecs: ["aac"], hasNoNetwork: true },
};
