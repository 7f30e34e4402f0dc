import { describe, expect, it } from "vitest";
import { benchPackages, complaint, missingPackages } from "./system-packages.ts";

describe("the packages the tests need", () => {
  it("are all missing on a bare machine", () => {
    expect(missingPackages(() => false)).toEqual([
      "postgresql-15",
      "pgbouncer",
      "prometheus",
      "chromium",
      "zsh",
      "fish",
      "qbittorrent-nox",
      "ffmpeg",
      "openssh-server",
      "poppler-utils",
    ]);
  });

  it("are left alone where they are", () => {
    expect(missingPackages((file) => file.includes("postgresql"))).toEqual([
      "pgbouncer",
      "prometheus",
      "chromium",
      "zsh",
      "fish",
      "qbittorrent-nox",
      "ffmpeg",
      "openssh-server",
      "poppler-utils",
    ]);
    expect(missingPackages(() => true)).toEqual([]);
  });

  it("are others for the benchmark", () => {
    expect(missingPackages((file) => file.includes("postgresql"), benchPackages)).toEqual(["redis-server"]);
  });

  it("are named in one sentence when they cannot be had", () => {
    expect(complaint(["postgresql-15", "pgbouncer"], "apt-get could not install them")).toBe(
      "The tests need postgresql-15 and pgbouncer: apt-get could not install them.",
    );
  });
});
