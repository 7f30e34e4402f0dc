import { expect, it } from "vitest";
import { comebackText } from "./comeback.ts";

const back = { awayMs: 40_000, running: 7, resumed: 6, fromCheckpoint: 1, waiting: 0 };

it.each([
  [back, "Back after 40 s. 7 items were running: 6 resumed, 1 continued from its checkpoint."],
  [{ ...back, running: 1, resumed: 1, fromCheckpoint: 0 }, "Back after 40 s. 1 item was running: 1 resumed."],
  [
    { ...back, resumed: 0, fromCheckpoint: 3, waiting: 4 },
    "Back after 40 s. 7 items were running: 3 continued from their checkpoints, 4 wait to be begun again.",
  ],
  [{ ...back, running: 0, resumed: 0, fromCheckpoint: 0 }, "Back after 40 s. Nothing was running."],
  [{ ...back, running: null }, "Back after 40 s. What had been running was taken over meanwhile."],
])("who is back says what became of it: %#", (comeback, text) => {
  expect(comebackText(comeback)).toBe(text);
});
