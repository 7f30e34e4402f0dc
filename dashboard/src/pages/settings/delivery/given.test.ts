import { describe, expect, it } from "vitest";
import { encodingIn, serverIn } from "./given.ts";

const folder = {
  ...{ kind: "folder", root: " /srv/media ", films: "Films", series: "", bandwidth: "", encoding: "" },
  mediaServer: "none",
};
const sftp = { ...folder, kind: "sftp", host: "nas", port: "2222", username: "ada" };

describe("a server", () => {
  it("that is a folder has nobody who signs in, whatever was typed before", () => {
    expect(serverIn({ ...sftp, kind: "folder", way: "password", password: "x" })).toEqual({
      ...{ kind: "folder", host: null, port: 22, username: null, root: "/srv/media", films: "Films", series: "" },
      ...{ bytesPerSecond: null, encoding: null, isDefault: false, mediaServer: null },
    });
  });

  it("keeps the password that is not typed", () => {
    expect(serverIn({ ...sftp, way: "password", password: "" })).not.toHaveProperty("password");
    expect(serverIn({ ...sftp, way: "password", password: "x" })).toMatchObject({ port: 2222, password: "x" });
  });

  it("has a key or a password, and not both; a key's last line ends", () => {
    const given = serverIn({ ...sftp, way: "key", password: "x", privateKey: " -----BEGIN\nabc\n-----END " });
    expect(given).toMatchObject({ privateKey: "-----BEGIN\nabc\n-----END\n" });
    expect(given).not.toHaveProperty("password");
    expect(serverIn({ ...sftp, way: "key", privateKey: "" })).not.toHaveProperty("privateKey");
  });

  it("is given so many millions of bytes a second, and the media server's key where it was typed", () => {
    const media = { mediaServer: "plex", mediaUrl: "http://plex:32400", mediaRoot: "/media", mediaKey: "" };
    const given = serverIn({ ...folder, ...media, bandwidth: "2.5", encoding: "hevc", isDefault: "on" });
    expect(given).toMatchObject({ bytesPerSecond: 2_500_000, encoding: "hevc", isDefault: true });
    expect(given.mediaServer).toEqual({ kind: "plex", url: "http://plex:32400", root: "/media" });
    expect(serverIn({ ...folder, ...media, mediaKey: "k" }).mediaServer).toMatchObject({ key: "k" });
  });
});

describe("an encoding", () => {
  const given = {
    ...{ codec: "hevc", crf: "24", preset: "slow", container: "mkv", maxHeight: "", keepLarger: "on" },
    ...{ audioKeep: "", audioCodec: "aac", audioKbps: "192", subtitles: "all" },
  };

  it("is as it was chosen", () => {
    expect(encodingIn(given)).toEqual({
      ...{ codec: "hevc", crf: 24, preset: "slow", container: "mkv", maxHeight: null, keepLarger: true },
      ...{ audio: { keep: "all", codec: "aac", kbps: 192 }, subtitles: "all" },
    });
  });

  it("has languages where they are named, and AV1's pains as a number", () => {
    const some = { audioKeep: "de, en", subtitles: "some", subtitleLanguages: "de", maxHeight: "1080" };
    expect(encodingIn({ ...given, ...some, codec: "av1", preset: "8" })).toMatchObject({
      ...{ preset: 8, maxHeight: 1_080, subtitles: ["de"], audio: { keep: ["de", "en"] } },
    });
    expect(encodingIn({ ...given, subtitles: "none" }).subtitles).toBe("none");
  });
});
