import { describe, expect, it } from "vitest";
import { messagePattern } from "./message-pattern.ts";

describe("a message's pattern", () => {
  it.each([
    ["no answer after 30s", "no answer after #s"],
    ["HTTP 503 from 10.0.0.7:8080", "HTTP # from #"],
    ['cannot open "/films/Alien (1979).mkv"', "cannot open …"],
    ["cannot open '/films/Alien': no such file", "cannot open …: no such file"],
    ["ENOENT: no such file, open /srv/films/a.mkv", "ENOENT: no such file, open …"],
    ["GET https://shop.example.org/item/7?x=1 failed", "GET … failed"],
    ["item itm_0000000000k3z is gone", "item … is gone"],
    ["job 6f9619ff-8b86-d011-b42d-00c04fc964ff vanished", "job … vanished"],
    ["hash 9a0364b9e99bb480dd25e1f0284c8555 differs", "hash … differs"],
    ["it didn't answer, and won't", "it didn't answer, and won't"],
    ["codec h264 is not known", "codec h264 is not known"],
    ["  two\n lines ", "two … lines"],
    ["HTTP  503\tnow", "HTTP … # … now"],
  ])("%s", (message, pattern) => expect(messagePattern(message)).toBe(pattern));

  it("is of its beginning, where it is long", () => {
    expect(messagePattern(`no answer: ${"word ".repeat(100)}`).length).toBeLessThanOrEqual(200);
    expect(messagePattern(`cannot open "${"a ".repeat(200)}": no room`)).toBe("cannot open …: no room");
    expect(messagePattern(`x${"𝄞".repeat(200)}`)).toBe(`x${"𝄞".repeat(99)}`);
  });

  it.each(["“", "«", "a.", "'", '"', "/", "/a", "a:", "1.", "f1", "https://"])(
    "of %s ten thousand times is found in time",
    (piece) => {
      expect(messagePattern(piece.repeat(10_000)).length).toBeLessThanOrEqual(200);
    },
  );
});
