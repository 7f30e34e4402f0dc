// node test/media/upload-cli.ts [--megabytes 2000]: a large upload to a real sshd, cut at 60 % and gone on with, and its speed beside that
// of OpenSSH's own sftp in the same run. npm test does the cut on a small scale, without the clock.

import { parseArgs } from "node:util";
import { withUpload } from "./upload.ts";

const { values } = parseArgs({ options: { megabytes: { type: "string", default: "2000" } } });
const megabytes = Number(values.megabytes);
const MOST_AGAIN = 1_000_000;
const LEAST_RATIO = 0.3;

process.exitCode = await withUpload(megabytes, async (upload) => {
  const { theirMs, ourMs, ourSendingMs } = await upload.race();
  const { sentAgain, isSame } = await upload.cut();
  const ratio = theirMs / ourMs;
  const speed = (ms: number) => `${(megabytes / (ms / 1_000)).toFixed(0)} MB/s`;
  const lines = [
    `${megabytes} MB: sftp ${speed(theirMs)}; ours ${speed(ourMs)}, sent at ${speed(ourSendingMs)} and then written out, read back and compared`,
    `ratio ${ratio.toFixed(2)} (at least ${LEAST_RATIO})`,
    `cut at 60 %: ${sentAgain} bytes sent again (at most ${MOST_AGAIN})`,
    `sha256 here and there: ${isSame ? "the same" : "NOT the same"}`,
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  return isSame && sentAgain <= MOST_AGAIN && ratio >= LEAST_RATIO ? 0 : 1;
});
