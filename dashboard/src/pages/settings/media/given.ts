// What a form of the media settings says, as the server takes it. Pure.

import type {
  ClientSetting,
  IndexerSetting,
  MetadataSetting,
  ProfileView,
} from "../../../../../src/server/contract/wire.ts";
import type { Given } from "../../../ui/form.tsx";

/** Beside a field for a secret: the tick that takes away what is set. */
export const forgets = (name: string) => `${name}.forget`;

/** Left out where it is to stay as it is. */
export function secretIn<Name extends string>(given: Given, name: Name): { readonly [Key in Name]?: string | null } {
  const value = given[name] ?? "";
  if (value !== "") return { [name]: value } as { [Key in Name]: string };
  return given[forgets(name)] === "on" ? ({ [name]: null } as { [Key in Name]: null }) : {};
}

/** With commas between, as people write them. */
export const listIn = (text = ""): string[] =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");

export const orNull = (text = ""): string | null => (text.trim() === "" ? null : text.trim());

export function indexerIn(given: Given): IndexerSetting {
  return {
    url: given.url?.trim() ?? "",
    ...secretIn(given, "apiKey"),
    categories: listIn(given.categories).map(Number),
    links: given.links === "lan" ? "lan" : "public",
    priority: Number(given.priority),
    isOn: given.isOn === "on",
  };
}

export function clientIn(given: Given): ClientSetting {
  const kind = given.kind === "embedded" ? "embedded" : "qbittorrent";
  return {
    kind,
    url: orNull(given.url),
    username: kind === "embedded" ? null : orNull(given.username),
    ...secretIn(given, "password"),
    folder: orNull(given.folder),
    paths: pathsIn(given),
    priority: Number(given.priority),
    isOn: given.isOn === "on",
  };
}

/** Rows of which both sides are empty are none. */
function pathsIn(given: Given): ClientSetting["paths"] {
  const rows = Object.keys(given).flatMap((name) => /^theirs\.(\d+)$/.exec(name)?.[1] ?? []);
  return rows
    .map((row) => ({ theirs: given[`theirs.${row}`]?.trim() ?? "", ours: given[`ours.${row}`]?.trim() ?? "" }))
    .filter(({ theirs, ours }) => theirs !== "" || ours !== "");
}

export function metadataIn(given: Given): MetadataSetting {
  return { ...secretIn(given, "key"), language: orNull(given.language), url: orNull(given.url) };
}

export const LISTS = [
  "resolutions",
  "sources",
  "codecs",
  "languages",
  "bannedGroups",
  "requiredWords",
  "forbiddenWords",
] as const;
export const NUMBERS = [
  "minMbPerMinute",
  "preferredMbPerMinute",
  "maxMbPerMinute",
  "minMb",
  "maxMb",
  "minimumSeeders",
] as const;

export function profileIn(given: Given): Omit<ProfileView, "name"> {
  const lists = LISTS.map((name) => [name, listIn(given[name])] as const);
  const numbers = NUMBERS.map((name) => [name, Number(given[name])] as const);
  return {
    ...(Object.fromEntries(lists) as Pick<ProfileView, (typeof LISTS)[number]>),
    ...(Object.fromEntries(numbers) as Pick<ProfileView, (typeof NUMBERS)[number]>),
    preferPropers: given.preferPropers === "on",
  };
}
