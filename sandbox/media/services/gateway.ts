// The gateway that turns PDFs into XML: `sluice gateway` itself, in a process of its own, behind a front that can be slow and lie.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { GATEWAY } from "../../../src/apps/documents/services.ts";
import { BUSY } from "../../../src/apps/documents/view/about.ts";
import { findGateway } from "../../../src/connectors/index.ts";
import { GatewayFront } from "../../documents/gateway-front.ts";
import { FAULTS } from "../../service/faults.ts";
import type { MediaService } from "./definition.ts";

const COMMAND = join(import.meta.dirname, "../../../bin/sluice.js");
const STEP_MS = 50;
/** As many at a time as documents are sent to it. */
const AT_ONCE = "4";

export const gateway: MediaService = {
  ...{ name: "gateway", service: GATEWAY },
  about: "Turns PDFs into XML, as sluice gateway does; each is read by a process of its own.",
  ends: {
    ...{ name: "stop", by: "stop", does: FAULTS.stop.does },
    expect: `Documents says "${BUSY}" What is uploaded is taken all the same, stays queued and spends no attempts; mended, it goes on by itself.`,
  },
  faults: {
    slow: {
      does: "Holds every conversion back for some seconds, and then does it.",
      expect:
        "Documents stay longer in processing, as many at a time as there may be, and others are queued behind them. Nothing is wrong, so nothing is told as wrong.",
    },
    lie: {
      does: "Says that it is well, and answers conversions with a web page, or with half of the XML.",
      expect: `Nothing of it is believed or stored: GW_5XX, with an attempt each time, and "${BUSY}" in between. Mended before the third, it goes on by itself; what has failed by then can be retried.`,
    },
  },
  async run({ port, folder, pace }) {
    const place = ["--folder", folder, "--host", "127.0.0.1", "--port", "0", "--at-once", AT_ONCE];
    const program = spawn(process.execPath, [COMMAND, "gateway", ...place, "--log-level", "warn"], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    // Without it this is nothing.
    program.once("exit", (code) => process.exit(code ?? 1));
    let found = await findGateway(folder);
    while (found === undefined) {
      await sleep(STEP_MS);
      found = await findGateway(folder);
    }
    const front = new GatewayFront({ target: found.url, slowMs: pace.slowConversionMs });
    await front.up(port);
    return {
      faults(faults) {
        front.faults = faults;
      },
      async end() {
        front.close();
        const gone = once(program, "exit");
        program.kill("SIGTERM");
        await gone;
      },
    };
  },
};
