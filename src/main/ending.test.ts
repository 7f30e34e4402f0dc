import { expect, it } from "vitest";
import { InputError, SluiceError } from "../kit/index.ts";
import { endingOf } from "./ending.ts";
import { CommandError, EXIT } from "./exit.ts";

it.each([
  [new CommandError(EXIT.refused, "it has ended", "sluice retry"), 5, "sluice: it has ended\n  → sluice retry"],
  [new SluiceError("NOT_FOUND", "there is no account bob"), 3, "sluice: there is no account bob\n  → "],
  [new InputError("password", "password: at least 12"), 2, "sluice: password: at least 12\n  → "],
  [
    Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" }),
    6,
    "nothing listens at its address (connect ECONNREFUSED",
  ],
  [
    Object.assign(new Error('relation "nope" does not exist'), { code: "42P01" }),
    1,
    'Error: relation "nope" does not exist\n    at ',
  ],
  [
    Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write" }),
    1,
    "sluice: ENOSPC: no space left on device, write\n  → mend that",
  ],
  [new TypeError("x is not a function"), 1, "TypeError: x is not a function\n    at "],
])("every error ends with a code and the next thing to try: %#", (error, exit, text) => {
  const ending = endingOf(error);
  expect(ending.exit).toBe(exit);
  expect(ending.text).toContain(text);
  expect(ending.text).toMatch(/\n {2}→ .+$/);
});

it("nothing in it moves a terminal, wherever it came from", () => {
  const { text } = endingOf(new CommandError(EXIT.refused, "bad \u001b]0;X\u0007\u001b[2J\u009b1m", "try\u001b[31m"));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(text.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
});
