export const RANGES = ["1h", "24h", "7d", "30d"] as const;
export type Range = (typeof RANGES)[number];

export const isRange = (text: string): text is Range => (RANGES as readonly string[]).includes(text);
