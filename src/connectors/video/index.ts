export * from "./video.ts";
export * from "./whole.ts";
