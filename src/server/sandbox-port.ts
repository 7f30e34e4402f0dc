// A demo world around the server, whose things can be broken and mended again. What stands behind it is no part of what ships:
// whoever starts such a world hands it in, and only then are there routes for it.

export interface SandboxFault {
  readonly name: string;
  /** What breaking it does, in a sentence. */
  readonly does: string;
  /** What one should see then. */
  readonly expect: string;
  /** Null while it is whole. */
  readonly brokenSince: Date | null;
}

export interface SandboxThing {
  readonly name: string;
  readonly about: string;
  /** As pipelines know it; null for what is none of their services. */
  readonly service: string | null;
  readonly state: "up" | "starting" | "down";
  readonly faults: readonly SandboxFault[];
}

export interface SandboxPort {
  things(): readonly SandboxThing[];
  /** Resolves when it is broken. Only what is whole is broken. */
  break(thing: string, fault: string): Promise<void>;
  /** Resolves when it works again. Only what is broken is mended. */
  mend(thing: string, fault: string): Promise<void>;
}
