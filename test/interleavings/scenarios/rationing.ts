// What a service has room for, and who has something to claim from it.

import { claimFromService } from "../../../src/engine/items/claim-service.sql.ts";
import { dueLanes } from "../../../src/engine/items/due-lanes.sql.ts";
import { setValve } from "../../../src/engine/operate/valve.sql.ts";
import { ANNA, advances, ask, must, places, settled } from "../play.ts";
import type { Scenario } from "../scenario.ts";
import { api, prepared } from "../service-play.ts";

const due: Scenario = {
  name: "a lane is due while something can be claimed from it",
  async prepare(arena) {
    await prepared(arena);
    const { served } = arena.dictionary;
    const pause = { kind: "pause", scope: { stage: "served-0" }, note: null, actor: "person" };
    return {
      sessions: {},
      async check() {
        const dueNow = async () => [...(await dueLanes(arena, served.lanes.slice(0, 1))).keys()].join();
        await ask(arena, 1, { line: served, delayMs: 60_000 });
        must((await dueNow()) === "", "not what is ready later");
        await ask(arena, 1, { line: served });
        must((await dueNow()) === String(served.lanes[0]), "what is ready now");
        await setValve(arena, { ...pause, closed: true });
        must((await dueNow()) === "", "unless a valve holds it");
        await setValve(arena, { ...pause, closed: false });
        const rows = await claimFromService(arena.db, api.name, places(served.lanes[0] as number), 9, ANNA);
        must(rows.length === 1, "it is claimed");
        must((await dueNow()) === "", "and is no longer due");
      },
    };
  },
};

const inside: Scenario = {
  name: "a service's capacity counts what is inside, its ramp what is in hand",
  async prepare(arena) {
    await prepared(arena);
    await arena.rows("update sluice.service set capacity = 2, limit_count = null, limit_ms = null");
    const { served } = arena.dictionary;
    await ask(arena, 9, { line: served });
    const at = places(served.lanes[0] as number);
    return {
      sessions: {},
      async check() {
        const claimed = () => claimFromService(arena.db, api.name, at, 9, ANNA);
        const [first, ...others] = await claimed();
        if (first === undefined) throw new Error("nothing was claimed");
        must(others.length === 1, "as many as fit, however many wait");
        must((await claimed()).length === 0, "and no more");
        await settled(arena, [advances(first, served, { handOff: true })], ANNA, served.lanes);
        must((await claimed()).length === 1, "what was handed on has left it");
        await arena.rows("update sluice.run set state = 2, epoch = -lane where state = 1 and stage = 0");
        must((await claimed()).length === 0, "what is watched has not");
        await arena.rows("update sluice.service set capacity = null, ramp = 1, ramp_left = 1");
        must((await claimed()).length === 1, "but nobody has it in hand");
        must((await claimed()).length === 0, "as the one that is claimed now");
        await arena.rows("update sluice.run set state = 1, epoch = $1 where state = 2", [ANNA]);
      },
    };
  },
};

export const rationing: readonly Scenario[] = [due, inside];
