// A poster for every title: a sky, a sun and waves in colours of its own. Pure; the bytes of a PNG.

import { createHash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";

const WIDTH = 240;
const HEIGHT = 360;

type Colour = readonly [number, number, number];

export function posterOf(title: string): Buffer {
  const dice = createHash("sha256").update(title).digest();
  const at = (index: number) => (dice[index] ?? 0) / 255;
  const sky = [hue(at(0), 0.25), hue(at(0) + 0.12, 0.6)] as const;
  const sea = [hue(at(0) + 0.5, 0.45), hue(at(0) + 0.55, 0.15)] as const;
  const sun = { x: WIDTH * (0.2 + 0.6 * at(1)), y: HEIGHT * (0.18 + 0.2 * at(2)), r: WIDTH * (0.1 + 0.14 * at(3)) };
  const shore = HEIGHT * (0.5 + 0.2 * at(4));
  const waves = 1 + Math.floor(4 * at(5));
  const pixel = (x: number, y: number): Colour => {
    const wave = shore + 9 * Math.sin((x / WIDTH) * Math.PI * 2 * waves + 6 * at(6));
    if (y > wave) return between(sea, ripple(x, y, wave, waves));
    return (x - sun.x) ** 2 + (y - sun.y) ** 2 < sun.r ** 2 ? hue(at(0) + 0.1, 0.85) : between(sky, y / shore);
  };
  const rows = Array.from({ length: HEIGHT }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: WIDTH }, (__, x) => pixel(x, y)).flat()]),
  );
  return png(Buffer.concat(rows));
}

const ripple = (x: number, y: number, wave: number, waves: number): number =>
  Math.min(1, (y - wave) / (HEIGHT - wave) + 0.06 * Math.sin(y / 5 + x / (8 * waves)));

const between = ([from, to]: readonly [Colour, Colour], share: number): Colour => {
  const part = Math.min(1, Math.max(0, share));
  const mixed = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * part);
  return [mixed(0), mixed(1), mixed(2)];
};

/** On a wheel of colours, from 0 to 1 and round again. */
function hue(turn: number, light: number): Colour {
  const channel = (offset: number) => {
    const wheel = 0.5 + 0.5 * Math.cos(2 * Math.PI * (turn + offset));
    return Math.round(255 * (light + (wheel - 0.5) * 0.55 * (1 - Math.abs(2 * light - 1))));
  };
  return [channel(0), channel(1 / 3), channel(2 / 3)];
}

function png(rows: Buffer): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(WIDTH, 0);
  head.writeUInt32BE(HEIGHT, 4);
  head.set([8, 2, 0, 0, 0], 8); // eight bits for each of red, green and blue
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(data.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}
