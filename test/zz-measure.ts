import { openPglite } from "../src/engine/testing/pglite.ts";
import { VirtualClock } from "../src/engine/testing/virtual-clock.ts";
import { testSluice } from "../src/engine/testing/index.ts";
import { definePipeline, done } from "../src/engine/index.ts";
import { z } from "zod";
const p = definePipeline("a", { version: 1, input: z.object({}) }).stage("x", { run: () => done({a:1}) }).stage("y", { run: () => done({a:1}) });
const t0=performance.now();
const t = await testSluice({ pipelines: [p] });
console.log("open", performance.now()-t0);
const stat = new Map<string,[number,number]>();
const orig = t.db.pglite.query.bind(t.db.pglite);
t.db.pglite.query = async (text:any, v:any, o:any) => { const s=performance.now(); try { return await orig(text,v,o);} finally { const k=text.trim().slice(0,60).replace(/\s+/g,' '); const e=stat.get(k)??[0,0]; e[0]++; e[1]+=performance.now()-s; stat.set(k,e);} };
for (let i=0;i<10;i++){ await t.submit(p,[{},{},{}]); await t.drain(); await t.advance("5s"); }
for (const [k,[n,ms]] of [...stat].sort((a,b)=>b[1][1]-a[1][1])) console.log((ms/n).toFixed(2), n, k);
const s=performance.now(); for(let i=0;i<20;i++) await t.db.pglite.exec("truncate sluice.run, sluice.item, sluice.journal, sluice.request, sluice.request_owner, sluice.worker, sluice.duty, sluice.checkpoint, sluice.unique_key, sluice.signal, sluice.waiter, sluice.question, sluice.audit, sluice.valve restart identity"); console.log("truncate", (performance.now()-s)/20);
process.exit(0);
