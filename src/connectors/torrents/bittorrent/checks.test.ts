import { expect, it } from "vitest";
import { type Checked, Checks } from "./checks.ts";
import type { Phase } from "./view.ts";

function torrent(checked: Checked[]): Checked & { phase: Phase } {
  const one = {
    phase: "unchecked" as Phase,
    async check() {
      one.phase = "checking";
      await Promise.resolve();
      one.phase = "seeding";
      checked.push(one);
    },
  };
  return one;
}
const soon = async () => {
  for (let turn = 0; turn < 10_000; turn += 1) await undefined;
};

it("all that wait after a start are looked at in one go, however many there are", async () => {
  const checked: Checked[] = [];
  const all = Array.from({ length: 500 }, () => torrent(checked));
  new Checks(() => all).tick();
  await soon();
  expect(checked).toEqual(all);
});

it("nothing more is begun when it is over", async () => {
  const checked: Checked[] = [];
  const [first, second] = [torrent(checked), torrent(checked)];
  const checks = new Checks(() => [first, second]);
  checks.tick();
  await checks.stop();
  expect(checked).toEqual([first]);
  expect(second.phase).toBe("unchecked");
});
