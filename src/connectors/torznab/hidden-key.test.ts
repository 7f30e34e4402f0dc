import { describe, expect, test } from "vitest";
import { HiddenKey } from "./hidden-key.ts";

const key = new HiddenKey("k3y+/=");
const sent = encodeURIComponent("k3y+/=");

describe("a key", () => {
  test.each([
    [`http://x/api?apikey=${sent}&a=1`, "http://x/api?apikey={apikey}&a=1"],
    [`http://x/api?apikey=k3y+/=`, "http://x/api?apikey={apikey}"],
    [`http://x/dl/${sent}/1.torrent`, "http://x/dl/{apikey}/1.torrent"],
    [`http://x/dl?name=my${sent}`, `http://x/dl?name=my${sent}`],
  ])("in %s is hidden, and put back", (url, hidden) => {
    expect(key.hide(url)).toBe(hidden);
    expect(key.fill(hidden)).toBe(url.replace("k3y+/=", sent));
  });

  test("is not given to who writes our mark into a link of theirs", () => {
    expect(key.fill(key.hide("https://evil.example/?k={apikey}&K={APIKEY}"))).not.toContain(sent);
  });

  test("is wiped out of what is said to people", () => {
    expect(key.wipe(`no such key: k3y+/= (${sent})`)).toBe("no such key: *** (***)");
  });

  test("that is not there hides nothing", () => {
    const none = new HiddenKey(undefined);
    expect(none.hide("http://x/?a=&b=1")).toBe("http://x/?a=&b=1");
    expect(none.wipe("all of it")).toBe("all of it");
  });
});
