// Lets a worker believe that it runs on a machine of its own, so that the others cannot look for its process and have to
// notice its death by its silence. Imported before anything that asks for the host's name.

import { syncBuiltinESMExports } from "node:module";
import os from "node:os";

const { CHAOS_HOST } = process.env;
if (CHAOS_HOST !== undefined) {
  os.hostname = () => CHAOS_HOST;
  syncBuiltinESMExports();
}
