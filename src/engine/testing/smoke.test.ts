import { expect, test } from "vitest";
import { z } from "zod";
import { ask, child, definePipeline, done, spawn, transient, wait } from "../index.ts";
import { testSluice } from "./index.ts";

test("an item passes all stages and each sees what came before", async () => {
  const seen: unknown[] = [];
  const p = definePipeline("films", { version: 1, input: z.object({ title: z.string() }) })
    .stage("search", { run: ({ input }) => done({ found: `${input.title}.mkv` }) })
    .stage("download", { run: ({ out }) => done({ path: `/tmp/${out.search.found}` }) })
    .stage("deliver", {
      run: ({ out }) => {
        seen.push(out);
        return done({ at: out.download.path });
      },
    });
  const t = await testSluice({ pipelines: [p] });
  const request = await t.submit(p, [{ title: "Alien" }]);
  await t.drain();
  expect(await t.trace(request.items[0]!)).toEqual(["search accepted", "search done", "download done", "deliver done"]);
  expect(seen).toEqual([{ search: { found: "Alien.mkv" }, download: { path: "/tmp/Alien.mkv" } }]);
  const result = await request.result();
  expect(result).toMatchObject({ ok: true, items: [{ state: "done", output: { at: "/tmp/Alien.mkv" } }] });
  await t.close();
});

test("faults, waits, questions, children, signals and returns", async () => {
  let tries = 0;
  const small = definePipeline("small", { version: 1, input: z.object({ n: z.number() }) }).stage("one", {
    run: ({ input }) => done({ twice: input.n * 2 }),
  });
  const p = definePipeline("all", { version: 1, input: z.object({}) })
    .stage("flaky", {
      run: () => {
        tries += 1;
        if (tries < 3) throw transient("NET", "reset");
        return done({ tries });
      },
    })
    .stage("ask", {
      run: ({ because }) =>
        because.answer === undefined ? ask("which?", { options: ["a", "b"] }) : done({ answer: because.answer }),
    })
    .stage("fan", {
      run: ({ because }) =>
        because.children === undefined
          ? spawn([child(small, { n: 1 }), child(small, { n: 2 })])
          : done({ sum: because.children.map((c) => c.output) }),
    })
    .stage("signal", {
      run: ({ because }) =>
        because.signal === undefined ? wait("callback", { signal: "paid:1" }) : done({ paid: because.signal }),
    })
    .stage("end", { run: ({ out }) => done(out) });
  const t = await testSluice({ pipelines: [p, small] });
  const request = await t.submit(p, [{}]);
  const item = request.items[0]!;
  await t.drain();
  expect(await t.trace(item)).toEqual(["flaky accepted", "flaky fault NET"]);
  await t.advance("5m");
  expect(await t.trace(item)).toEqual([
    "flaky accepted",
    "flaky fault NET",
    "flaky fault NET",
    "flaky done",
    "ask ask question",
  ]);
  const [q] = await t.db.query<{ id: string }>({ name: "q", text: "select id from sluice.question" }, []);
  const { formatId } = await import("../../kit/index.ts");
  expect(await t.answer(formatId("question", q?.id ?? "0"), "a")).toEqual({ ok: true });
  expect(await t.answer(formatId("question", q?.id ?? "0"), "b")).toMatchObject({ ok: false });
  await t.signal("paid:1", { amount: 3 });
  await t.advance("5s");
  const result = await request.result();
  expect(result.items[0]).toMatchObject({
    state: "done",
    output: {
      flaky: { tries: 3 },
      ask: { answer: "a" },
      fan: { sum: [{ twice: 2 }, { twice: 4 }] },
      signal: { paid: { amount: 3 } },
    },
  });
  await t.close();
});
