// node test/media/stall-cli.ts [--films 10]: how soon the next release runs when one stands still, on a real qBittorrent.

import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { QbittorrentWorld } from "../support/qbittorrent-world.ts";
import { RealMediaWorld } from "./real-media-world.ts";
import { type StallTime, stallTime, toldUntilDone } from "./stall-time.ts";

const { values } = parseArgs({ options: { films: { type: "string", default: "10" } } });
const LIMIT_MS = 6_000;
const ROUND_MS = 1_000;
const limits = { every: ROUND_MS, stallNever: LIMIT_MS, stallStopped: LIMIT_MS, torrents: 100 };

const world = new RealMediaWorld(new QbittorrentWorld(), { limits });
await world.start();
try {
  const films = Array.from({ length: Number(values.films) }, () => world.newFilm());
  for (const { name } of films) {
    await world.release(world.first, `${name}.1080p.BluRay.x265-GOOD`, { isSeeded: false });
    await world.release(world.first, `${name}.720p.WEB-DL.x264-FINE`);
  }
  const times: StallTime[] = [];
  for (const film of films) {
    const { id } = await world.ask(film);
    times.push(await stallTime(world.sluice, id, await toldUntilDone(world.sluice, id)));
  }
  const spread = (of: (one: StallTime) => number) => {
    const sorted = times.map(of).toSorted((a, b) => a - b);
    return `${sorted[Math.floor(sorted.length / 2)]} ms (at most ${sorted.at(-1)} ms)`;
  };
  process.stdout.write(
    `${times.length} films, a limit of ${LIMIT_MS} ms, a round of ${ROUND_MS} ms: found ${spread((one) => one.foundMs)} after the limit, ` +
      `the next torrent in qBittorrent ${spread((one) => one.nextMs)} later (load ${loadavg()[0]?.toFixed(1)})\n`,
  );
  const late = times.filter(({ foundMs }) => foundMs > 2 * ROUND_MS);
  if (late.length > 0) process.stdout.write(`${late.length} were found more than two rounds after the limit\n`);
  process.exitCode = late.length === 0 ? 0 : 1;
} finally {
  await world.stop();
}
