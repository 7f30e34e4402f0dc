// What a browser calls itself, in two words that people know.

const BROWSERS = [
  ["Firefox", /Firefox\//],
  ["Edge", /Edg\//],
  ["Opera", /OPR\//],
  ["Chrome", /Chrom(e|ium)\/|HeadlessChrome/],
  ["Safari", /Safari\//],
] as const;
const SYSTEMS = [
  ["Android", /Android/],
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X/],
  ["Linux", /Linux/],
] as const;

export function agentName(agent: string | null): string {
  if (agent === null) return "";
  const [browser] = BROWSERS.find(([, mark]) => mark.test(agent)) ?? [];
  const [system] = SYSTEMS.find(([, mark]) => mark.test(agent)) ?? [];
  return browser === undefined ? agent.slice(0, 60) : [browser, system].filter(Boolean).join(", ");
}
