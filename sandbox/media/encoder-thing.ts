// The encoder nodes of this world, as things that can be broken.

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ManagedProcess } from "../processes/managed.ts";
import type { Thing } from "../things.ts";
import type { EncoderPlace } from "./encoder.ts";

export const ENCODERS = ["forge", "mill"] as const;

const GONE =
  "Encoders shows it as offline after a while, and what it had goes to the other one, without an attempt; with no other it waits with the reason no_worker.";

export function encoderThing(place: EncoderPlace): Thing {
  const env = { SANDBOX_ENCODER: JSON.stringify(place) };
  const module = join(import.meta.dirname, "encoder.ts");
  return {
    process: new ManagedProcess({ name: place.name, module, env, readyMs: 60_000, endMs: 8_000 }),
    about: "Encodes what its server has for it, with ffmpeg; may be another machine.",
    service: null,
    ends: {
      ...{
        name: "kill",
        by: "kill",
        does: "Ends its process at once, as kill -9 does; what ffmpeg was doing goes on.",
      },
      expect: `Started again soon, it finds what goes on, and loses nothing. ${GONE}`,
    },
    faults: {
      freeze: {
        does: "Stops its clock: neither it nor its ffmpeg gets any time (SIGSTOP).",
        expect: `${GONE} When its clock goes on, it is told that it has lost what it had.`,
      },
      stall: {
        does: "Stops its ffmpeg alone; it says that nothing moves.",
        expect:
          "After the limit the encode is taken off the board and put there anew, with another attempt, and goes to the other encoder.",
      },
      partition: {
        does: "Pulls its line to the server out: nothing goes over it, and nobody is told.",
        expect: `${GONE} When the line is back, it goes on, or is told what is no longer its own.`,
      },
    },
  };
}

/** So many seconds of film in one, for what is encoded from now on; whoever has begun keeps to what it was. */
export function paceEncodes(folder: string, speed: number): void {
  writeFileSync(join(folder, SPEED), String(speed));
}

const SPEED = "encode-speed";

/** An ffmpeg that reads no faster than it is let: one can watch it, and it takes hardly any of the machine. */
export function slowFfmpeg(folder: string, speed: number): string {
  mkdirSync(folder, { recursive: true });
  paceEncodes(folder, speed);
  const own = execFileSync("sh", ["-c", "command -v ffmpeg"], { encoding: "utf8" }).trim();
  const file = join(folder, "slow-ffmpeg");
  const slow = `exec ${own} -readrate "$(cat '${join(folder, SPEED)}')" "$@"`;
  // Only where it is to say how far it is: it is also asked what it can.
  writeFileSync(file, `#!/bin/sh\ncase " $* " in *" -progress "*) ${slow} ;; esac\nexec ${own} "$@"\n`);
  chmodSync(file, 0o755);
  return file;
}
