// The encoder on real ffmpeg: films of some seconds, processes that are stopped, killed and left alone.

import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { encoderContract } from "../../src/connectors/index.ts";
import { Films, RealEncoderWorld } from "../support/real-encoder-world.ts";

const films = new Films();
let world: RealEncoderWorld;
beforeAll(async () => {
  await films.make();
  world = new RealEncoderWorld(films);
});
afterEach(() => world.clean());
afterAll(async () => {
  await world.stop();
  films.remove();
});

describe("the encoder of this machine", () => {
  test.each(encoderContract)("keeps the contract: $name", ({ run }) => run(world));
});
