// How far something is, in a few columns. Pure.

const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** `progress` in percent. */
export function bar(progress: number, width = 10): string {
  const part = Math.min(100, Math.max(0, Number.isFinite(progress) ? progress : 0)) / 100;
  const eighths = Math.round(part * width * 8);
  const text = "█".repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? "");
  return text.padEnd(width, "░");
}

/** Never 100 % before it is done. */
export function percent(progress: number): string {
  return `${Math.floor(Math.min(100, Math.max(0, progress)))} %`;
}
