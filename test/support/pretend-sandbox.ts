// A sandbox that only pretends: what is broken is remembered, and stored where a test of every route can see it.

import type { Sluice } from "../../src/engine/index.ts";
import type { SandboxPort } from "../../src/server/sandbox-port.ts";

const FAULTS = ["stop", "slow"];

export function pretendSandbox(sluice: Pick<Sluice, "signal">): SandboxPort {
  const broken = new Map<string, Date>();
  const thing = (name: string, service: string | null) => ({
    ...{ name, service, about: `The ${name}.` },
    state: broken.has(`${name} stop`) ? ("down" as const) : ("up" as const),
    faults: FAULTS.map((fault) => ({
      name: fault,
      does: `Would ${fault} the ${name}.`,
      expect: "Others wait for it.",
      brokenSince: broken.get(`${name} ${fault}`) ?? null,
    })),
  });
  return {
    things: () => [thing("converter", "converter"), thing("worker", null)],
    async break(name, fault) {
      broken.set(`${name} ${fault}`, new Date("2030-01-01T00:00:00.000Z"));
      await sluice.signal(`sandbox ${name} ${fault}`, "broken");
    },
    async mend(name, fault) {
      broken.delete(`${name} ${fault}`);
      await sluice.signal(`sandbox ${name} ${fault}`, "mended");
    },
  };
}
