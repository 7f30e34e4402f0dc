// How far something is, in a few columns. Pure.

const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** `progress` from 0 to 1. */
export function bar(progress: number, width = 10): string {
  const part = Math.min(1, Math.max(0, Number.isFinite(progress) ? progress : 0));
  const eighths = Math.round(part * width * 8);
  const text = "█".repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? "");
  return text.padEnd(width, "░");
}

/** Never 100 % before it is done. */
export function percent(progress: number): string {
  const part = Math.min(1, Math.max(0, progress));
  return `${part < 1 ? Math.min(99, Math.floor(part * 100)) : 100} %`;
}
