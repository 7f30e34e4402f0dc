// The process's logger: JSON lines on standard error, or short ones for whoever sits in front of it.

import type { Logger } from "../engine/index.ts";
import { pinoLogger } from "../server/log/pino-logger.ts";

export const stderrLogger: Logger = pinoLogger({ to: 2, pretty: process.stderr.isTTY === true });
