// Where items enter a process that works, other than by its claims: what is handed in here, and what others hand over.

import { Letterbox, type LetterboxPorts } from "./letterbox.ts";
import type { Places } from "./places.ts";
import { Reception, type ReceptionPorts } from "./reception.ts";

export class Door {
  readonly reception: Reception;
  readonly letterbox: Letterbox;

  constructor(ports: ReceptionPorts & LetterboxPorts, places: Places) {
    this.reception = new Reception(ports, places);
    this.letterbox = new Letterbox(ports, places);
  }

  /** Resolves when every submission that is under way, and what has come, is in hand, or will never be. */
  async settled(): Promise<void> {
    await Promise.all([this.reception.settled(), this.letterbox.settled()]);
  }

  /** Its letter is in vain from now on. False where it has come, and the item is being begun. */
  giveUp(id: string): boolean {
    return this.letterbox.giveUp(id);
  }

  stop(): void {
    this.reception.stop();
    this.letterbox.stop();
  }

  /** What is under way is of a life that is over. */
  abandon(): void {
    this.reception.abandon();
    this.letterbox.close();
  }
}
