// The other side of the fake, and of the little servers: libraries, and what they were told to look at.

import { isBelow, type MediaServerKind } from "./media-server.ts";

export interface MediaServerWorldOptions {
  readonly kind?: MediaServerKind;
  readonly name?: string;
  readonly version?: string;
  /** Of its libraries, one folder each. */
  readonly folders?: readonly string[];
}

export class MediaServerWorld {
  readonly kind: MediaServerKind;
  readonly name: string;
  readonly version: string;
  readonly folders: readonly string[];
  readonly #told: string[] = [];

  constructor({ kind = "jellyfin", name = "living room", version = "10.11.0", folders }: MediaServerWorldOptions = {}) {
    this.kind = kind;
    this.name = name;
    this.version = version;
    this.folders = folders ?? ["/media/films", "/media/series"];
  }

  /** Says that all is well, also of what lies elsewhere, as the real ones do. */
  look(folder: string): void {
    this.#told.push(folder);
  }

  /** Folders that were looked at in vain are among them: nobody should have sent it there. */
  truth(): { readonly told: readonly string[]; readonly inVain: readonly string[] } {
    const isKnown = (told: string) => this.folders.some((folder) => told === folder || isBelow(told, folder));
    return { told: [...this.#told], inVain: this.#told.filter((told) => !isKnown(told)) };
  }
}
