// A process that starts an encode and is there to be killed. Its one argument says how to open the encoder and what to start.

import { ffmpegEncoder } from "../../src/connectors/encoder/index.ts";

const { options, order } = JSON.parse(process.argv[2] ?? "");
const encoder = ffmpegEncoder(options);
await encoder.start(order);
console.log("started");
setInterval(() => undefined, 60_000);
