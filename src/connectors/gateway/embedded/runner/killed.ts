// What a signal that ended a reader says of the file. Limits speak by signals.

import { Refused } from "./job.ts";

export function killed(signal: NodeJS.Signals): Error {
  switch (signal) {
    case "SIGXCPU":
      return new Refused("TOO_COMPLEX", "it takes more computing than a conversion may take");
    case "SIGABRT":
    case "SIGTRAP":
    case "SIGILL":
    case "SIGBUS":
      return new Refused("MEMORY_ERROR", "it takes more memory than a conversion may take");
    case "SIGSEGV":
    case "SIGFPE":
      return new Refused("PARSE_ERROR", "it cannot be read as a PDF: what reads it broke down over it");
    default:
      return new Error(`what reads it was ended by ${signal}`);
  }
}
