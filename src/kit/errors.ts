/**
 * The errors Sluice throws on purpose. Everything else that is thrown is a fault of the outside world or a bug.
 *
 *     SluiceError            code says which kind, field says which input (when one is to blame)
 *     ├── InputError         INVALID_INPUT: the caller passed something unusable; the message says what to pass instead
 *     └── BugError           BUG: we broke our own rule; retrying cannot help, the stack is what matters
 */

export interface SluiceErrorOptions {
  readonly field?: string | undefined;
  readonly cause?: unknown;
}

export class SluiceError extends Error {
  /** Stable and upper-case; safe to switch on. The message is for people and may change. */
  readonly code: string;
  /** The path of the input to blame, such as `input.films[2].title`. */
  readonly field?: string;

  constructor(code: string, message: string, options: SluiceErrorOptions = {}) {
    // An absent cause must stay absent: `{ cause: undefined }` would print as "[cause]: undefined".
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options.field !== undefined) this.field = options.field;
  }

  // On the prototype by way of the constructor's name, so subclasses elsewhere are named without repeating themselves.
  override get name(): string {
    return this.constructor.name;
  }
}

/** The caller can fix this by passing something else. `message` should name the field and say what was expected. */
export class InputError extends SluiceError {
  constructor(field: string, message: string, options: { readonly cause?: unknown } = {}) {
    super("INVALID_INPUT", message, { field, cause: options.cause });
  }
}

/** Only a change of code can fix this. */
export class BugError extends SluiceError {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super("BUG", message, options);
  }
}

/** States what must be true here; throws `BugError` when it is not. Never use it to check input from outside. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new BugError(message);
}
