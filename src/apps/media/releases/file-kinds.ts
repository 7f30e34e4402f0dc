// What a file of a torrent is, by its name alone; a name may say anything. Pure.

export type FileKind =
  | "video"
  | "subtitle"
  | "archive"
  | "disc"
  | "playlist"
  | "executable"
  | "password"
  /** A path that leads out of its folder, or no path at all. */
  | "unsafe"
  | "other";

const BY_EXTENSION: Readonly<Record<Exclude<FileKind, "unsafe" | "password" | "other">, string>> = {
  video: "mkv mp4 m4v avi mov wmv ts m2ts mts mpg mpeg webm flv ogm ogv divx rmvb asf 3gp",
  subtitle: "srt ass ssa sub idx vtt sup smi",
  archive: "rar zip 7z tar gz bz2 xz ace arj lzh cab",
  disc: "iso img nrg mdf mds bin cue vob ifo bup bdmv mpls clpi",
  playlist: "m3u m3u8 pls asx wpl wax wvx strm xspf url",
  executable: "exe scr bat cmd msi vbs vbe js jse wsf hta lnk ps1 sh apk jar pif cpl dll reg appimage dmg pkg deb",
};

const KIND_OF = new Map(
  Object.entries(BY_EXTENSION).flatMap(([kind, list]) =>
    // The keys are kinds; Object.entries forgets it.
    list.split(" ").map((extension) => [extension, kind as FileKind] as const),
  ),
);

/** ".r00", ".s01", ".001": the volumes of an archive. */
const VOLUME = /^(?:[rs]\d{2,3}|\d{3})$/;
const PASSWORD =
  /(?:^|[^\p{L}])(?:passwords?|passwort|unlock|decrypt|how[ ._-]?to[ ._-]?(?:open|extract|play))(?:[^\p{L}]|$)/iu;
const ENCRYPTED = /\.(?:enc|encrypted|locked|crypt|aes|gpg)$/i;
const DISC_FOLDER = /(?:^|\/)(?:bdmv|video_ts|hvdvd_ts|certificate)(?:\/|$)/i;
const LONGEST_PATH_BYTES = 4_096;
const LONGEST_PART_BYTES = 255;

export function fileKind(path: string): FileKind {
  if (isUnsafe(path)) return "unsafe";
  const name = fileName(path);
  const extension = extensionOf(name);
  const kind = VOLUME.test(extension) ? "archive" : (KIND_OF.get(extension) ?? "other");
  if (kind === "executable") return kind;
  if (ENCRYPTED.test(name)) return "password";
  if (DISC_FOLDER.test(path) && kind !== "subtitle") return "disc";
  if (kind === "other" && PASSWORD.test(name)) return "password";
  return kind;
}

function isUnsafe(path: string): boolean {
  const parts = path.split("/");
  return (
    path === "" ||
    /[\p{Cc}\\]/u.test(path) ||
    !path.isWellFormed() ||
    Buffer.byteLength(path) > LONGEST_PATH_BYTES ||
    parts.some((part) => part === "" || part === "." || part === ".." || Buffer.byteLength(part) > LONGEST_PART_BYTES)
  );
}

export const fileName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
export const stemOf = (path: string): string => fileName(path).replace(/\.[^.]{1,10}$/, "");
export const foldersOf = (path: string): string[] => path.split("/").slice(0, -1);

function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot === -1
    ? ""
    : name
        .slice(dot + 1)
        .trim()
        .toLowerCase();
}

const SAMPLE = /(?:^|[^\p{L}\p{N}])(?:sample|proof)(?:[^\p{L}\p{N}]|$)/iu;
const SAMPLE_FOLDER = /^(?:samples?|proof)$/i;
const EXTRAS_FOLDER =
  /^(?:extras?|featurettes?|trailers?|bonus|behind[ ._-]the[ ._-]scenes|deleted[ ._-]scenes|interviews?|shorts|scenes|making[ ._-]of|nc|creditless)$/i;
const EXTRAS_NAME =
  /(?:[-. ](?:trailer|featurette|behindthescenes|deleted|interview|scene|short|teaser|promo)|^(?:trailer|featurette|teaser|etrg|rarbg(?:\.com)?))$/i;
/** Openings and endings of anime without their titles, menus, previews. */
const EXTRAS_ANIME = /(?:^|[^\p{L}\p{N}])(?:ncop|nced|creditless|menu|pv|cm)[ ._-]?\d{0,2}(?:[^\p{L}\p{N}]|$)/iu;

/** By its name; whether it is small enough for one, the caller says: a film may be called "Sample". */
export function isNamedSample(path: string): boolean {
  return SAMPLE.test(stemOf(path)) || foldersOf(path).some((folder) => SAMPLE_FOLDER.test(folder.trim()));
}

export function isExtra(path: string): boolean {
  const stem = stemOf(path);
  return (
    foldersOf(path).some((folder) => EXTRAS_FOLDER.test(folder.trim())) ||
    EXTRAS_NAME.test(stem) ||
    EXTRAS_ANIME.test(stem)
  );
}
