import { afterAll, beforeAll } from "vitest";
import { describeAnywhere } from "./cases/index.ts";
import { pgliteWorld } from "./pglite-world.ts";

const world = pgliteWorld();
beforeAll(() => world.open());
afterAll(() => world.close());

describeAnywhere(world);
