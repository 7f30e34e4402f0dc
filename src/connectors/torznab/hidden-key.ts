// The indexer's key stands in the links it hands out, and those are stored and shown. So it is taken out where they are read, and put
// back where they are followed. Pure.

const MARK = "{apikey}";

export class HiddenKey {
  readonly #key: string;

  constructor(key: string | undefined) {
    this.#key = key ?? "";
  }

  /** For addresses: as the whole of a value or of a part of the path. A short key is part of many other words. */
  hide(url: string): string {
    // Nobody else's mark is filled in: the key would go to where they like.
    const own = url.replaceAll(/\{apikey\}/gi, "%7Bapikey%7D");
    if (this.#key === "") return own;
    return this.#spellings().reduce((left, key) => {
      const literally = key.replaceAll(/\W/g, "\\$&");
      return left.replaceAll(new RegExp(`(?<=[/=])${literally}(?=$|[&#/;?])`, "g"), MARK);
    }, own);
  }

  fill(url: string): string {
    return url.replaceAll(MARK, encodeURIComponent(this.#key));
  }

  /** For what an indexer says to people. */
  wipe(text: string): string {
    if (this.#key === "") return text;
    return this.#spellings().reduce((left, key) => left.replaceAll(key, "***"), text);
  }

  #spellings(): readonly string[] {
    return [this.#key, encodeURIComponent(this.#key)];
  }
}
