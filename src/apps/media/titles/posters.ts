// Posters, fetched from the metadata service once and shown from here: browsers talk to nobody but this server.

import type { Image } from "../../../connectors/index.ts";
import type { Tables } from "../../../engine/index.ts";
import { inTime, type KnownPorts } from "../requests/known-title.ts";
import { Once } from "../store/once.ts";
import { findPoster, keepPoster } from "./posters.sql.ts";

/** A few dozen kilobytes each. */
const KEPT_MOST = 5_000;
/** As wide as a card shows them on a fine screen. */
const WIDTH = 342;

export class Posters {
  readonly #tables: Tables;
  readonly #metadata: KnownPorts["services"]["metadata"];
  readonly #once = new Once();

  constructor(tables: Tables, { services }: Pick<KnownPorts, "services">) {
    this.#tables = tables;
    this.#metadata = services.metadata;
  }

  async get(file: string): Promise<Image> {
    return await this.#once.get(file, {
      read: () => findPoster(this.#tables, file),
      ask: () => this.#metadata.image("poster", `/${file}`, WIDTH, inTime()),
      keep: (image) => keepPoster(this.#tables, file, image, KEPT_MOST),
    });
  }
}
