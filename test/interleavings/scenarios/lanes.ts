import { claimCapped } from "../../../src/engine/items/claim.sql.ts";
import { setValve } from "../../../src/engine/operate/valve.sql.ts";
import { NARROW_CAP } from "../dictionary.ts";
import { ANNA, advances, ask, BERT, countOf, enter, must, places, settled, take } from "../play.ts";
import type { Scenario } from "../scenario.ts";

const capped: Scenario = {
  name: "two who claim from a lane with a cap never hold more than it allows",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    const { narrow } = arena.dictionary;
    await ask(arena, 5, { line: narrow });
    const got: string[] = [];
    const claimAs = (epoch: string) => async (db: Parameters<typeof claimCapped>[0]) => {
      got.push(...(await claimCapped(db, places(narrow.lanes[0] as number), 5, epoch)).map((row) => row.id));
    };
    return {
      sessions: { [ANNA]: claimAs(ANNA), [BERT]: claimAs(BERT) },
      check({ waits }) {
        must(got.length === NARROW_CAP, `${got.length} were claimed`);
        must(waits.length === 0, "who finds another claiming does not wait for it");
      },
    };
  },
};

const handedOn: Scenario = {
  name: "an item that was handed on no longer takes a place in the capped lane it came from",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { narrow } = arena.dictionary;
    const first = places(narrow.lanes[0] as number);
    await ask(arena, 4, { line: narrow });
    return {
      sessions: {},
      async check() {
        const rows = await claimCapped(arena.db, first, 5, ANNA);
        const [one] = rows;
        if (one === undefined) throw new Error("nothing was claimed");
        await settled(arena, [advances(one, narrow, { handOff: true })], ANNA, narrow.lanes);
        must(
          (await countOf(arena, "from sluice.run where state = 1 and stage = 1")) === 1,
          "it is held in its next stage",
        );
        must((await claimCapped(arena.db, first, 5, ANNA)).length === 1, "its place is free");
        must((await claimCapped(arena.db, first, 5, ANNA)).length === 0, "and then no longer");
      },
    };
  },
};

const valves: Scenario = {
  name: "a closed valve holds the lanes it covers, and only those",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { line } = arena.dictionary;
    const scopes: readonly [object, boolean][] = [
      [{}, true],
      [{ pipeline: "line" }, true],
      [{ pipeline: "narrow" }, false],
      [{ pipeline: "line", version: 1 }, true],
      [{ pipeline: "line", version: 2 }, false],
      [{ stage: "line-0" }, true],
      [{ stage: "line-1" }, false],
    ];
    return {
      sessions: {},
      async check() {
        for (const [scope, holds] of scopes) {
          await ask(arena, 1);
          const change = { kind: "pause", scope, note: null, actor: "person" };
          await setValve(arena, { ...change, closed: true });
          const during = await take(arena, line, ANNA);
          await setValve(arena, { ...change, closed: false });
          const after = await take(arena, line, ANNA);
          must(
            during.length === (holds ? 0 : 1),
            `closing ${JSON.stringify(scope)} ${holds ? "holds" : "does not hold"}`,
          );
          must(during.length + after.length === 1, "open again, it flows");
        }
      },
    };
  },
};

const serviceValve: Scenario = {
  name: "a valve of another service holds nothing",
  async prepare(arena) {
    await enter(arena, ANNA);
    await ask(arena, 1);
    await arena.rows(
      "insert into sluice.valve (kind, service, closed, generation, changed_at) values ('breaker', 'other', true, 1, sluice.now())",
    );
    return {
      sessions: {},
      check: async () => must((await take(arena, arena.dictionary.line, ANNA)).length === 1, "it flows"),
    };
  },
};

export const lanes = [capped, handedOn, valves, serviceValve];
