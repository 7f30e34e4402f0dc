// Somewhere a finished file is taken to: a folder of this machine, or a server that speaks SFTP.
//
// A file travels under another name, begins with a dot so that no media server looks at it, and gets its own in one step when all
// of it is there and was compared. Half of a file is never seen under its name.

export interface Destination {
  about(signal?: AbortSignal): Promise<DestinationAbout>;
  /** Of what is at a path below its root; null where nothing is. */
  bytesAt(path: string, signal?: AbortSignal): Promise<number | null>;
  /** Of all that is at a path, read where it is; null where nothing is. */
  sha256At(path: string, signal?: AbortSignal): Promise<string | null>;
  /** Sends what is missing of a part, and compares what came of it. Goes on from what is there. */
  send(parcel: Parcel, call?: SendOptions): Promise<Sent>;
  /** The part takes its name; what was under that name is replaced. Asked twice is asked once. */
  publish(parcel: SentParcel, signal?: AbortSignal): Promise<void>;
  /** A file, or the part of a parcel that is not wanted any more; what is not there is a success. */
  remove(path: string, signal?: AbortSignal): Promise<void>;
}

export interface DestinationAbout {
  readonly kind: "folder" | "sftp";
  readonly root: string;
  /** Null where it does not tell. */
  readonly freeBytes: number | null;
  /** Whether a name is replaced in one step, so that nobody ever finds it missing. */
  readonly isAtomic: boolean;
  /** Whether it tells when bytes are on its disk. */
  readonly hasSync: boolean;
  /** As in "SHA256:47DEQpj8…"; null where there is none. */
  readonly hostKey: string | null;
}

export interface Parcel {
  /** On our own disk. */
  readonly file: string;
  /** Below the destination's root, with "/" between folders. */
  readonly to: string;
  /** Tells this parcel's part from any other's: letters, digits, - and _. Another content has another. */
  readonly id: string;
}

export interface SentParcel extends Omit<Parcel, "file"> {
  readonly bytes: number;
}

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /** So many are there for certain. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

export interface Sent {
  readonly bytes: number;
  /** In this call alone; less where there was something to go on from. */
  readonly sentBytes: number;
  readonly sha256: string;
}
