// The cookie that a browser is known by: scripts cannot read it, and other sites do not send it.

const SECONDS = 30 * 86_400;

/** Over plain HTTP in a local network a cookie that insists on HTTPS would be dropped without a word. */
export function cookieOptions(isSecure: boolean) {
  return { path: "/", httpOnly: true, sameSite: "Strict", secure: isSecure, maxAge: SECONDS } as const;
}
