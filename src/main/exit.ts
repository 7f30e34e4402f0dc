// How a command ends. The codes are part of the contract with scripts: docs/cli.md lists them.

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  refused: 5,
  unreachable: 6,
  partly: 7,
  timedOut: 8,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What is said on purpose, with the code it ends with and the next thing to try. */
export class CommandError extends Error {
  readonly exit: ExitCode;
  readonly next: string;

  constructor(exit: ExitCode, message: string, next: string) {
    super(message);
    this.exit = exit;
    this.next = next;
  }
}

/** Something typed or configured is wrong. */
export class UsageError extends CommandError {
  constructor(message: string, next = "sluice --help shows what there is") {
    super(EXIT.usage, message, next);
  }
}
