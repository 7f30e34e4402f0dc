// An admin without a set-up link, for servers that nobody sits in front of.

import { SluiceError } from "../../engine/index.ts";
import type { Access } from "./access.ts";

export interface GivenAdmin {
  readonly name: string;
  readonly password: string;
}

/**
 * "made" where there was no account of that name. One that is there is left as it is, password and role: whoever changed them
 * meant to, and a start must not undo it.
 */
export async function ensureAdmin(
  access: Pick<Access, "account" | "addAccount">,
  { name, password }: GivenAdmin,
): Promise<"made" | "there"> {
  if ((await access.account(name)) !== undefined) return "there";
  try {
    // Admins see and handle everything anyway.
    await access.addAccount("start", { name, role: "admin", password, inherit: true }, null);
    return "made";
  } catch (error) {
    // Another server that starts at the same time was first.
    if (error instanceof SluiceError && error.code === "CONFLICT") return "there";
    throw error;
  }
}
