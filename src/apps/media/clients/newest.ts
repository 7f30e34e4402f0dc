// A client as it was set last: its setting is looked at before every use, and where that has changed the client is made anew.

import { isDeepStrictEqual } from "node:util";

export class Newest<Setting, Client> {
  readonly #read: () => Promise<Setting>;
  readonly #make: (setting: Setting) => Client;
  #made: { readonly setting: Setting; readonly client: Client } | undefined;

  constructor(read: () => Promise<Setting>, make: (setting: Setting) => Client) {
    this.#read = read;
    this.#make = make;
  }

  async get(): Promise<Client> {
    const setting = await this.#read();
    if (this.#made === undefined || !isDeepStrictEqual(this.#made.setting, setting))
      this.#made = { setting, client: this.#make(setting) };
    return this.#made.client;
  }
}
