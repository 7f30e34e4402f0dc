// Who asks, and what they may. Pure.
//
//   viewer   sees everything, changes nothing
//   member   sees and handles what is theirs, and hands in more
//   admin    everything
//
// A key may do no more than its owner, and of that only what its scopes name.

export const ROLES = ["viewer", "member", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** `encode` is for encoders on other machines, and for nothing else. */
export const SCOPES = ["read", "submit", "operate", "admin", "encode"] as const;
export type Scope = (typeof SCOPES)[number];

/** Owners too: what belongs to somebody belongs to them by this name. */
export const ACCOUNT_NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/;
export const NAME_RULE = "small letters, digits, dot, dash and underscore, up to 40, beginning with a letter or digit";

export interface Principal {
  /** The account's name, which is also what it owns things by. */
  readonly user: string;
  readonly role: Role;
  readonly via: "session" | "key";
  /** Of a key; null for whoever signed in, who may do all that the role allows. */
  readonly scopes: readonly Scope[] | null;
  /** The key's id, where it is one. */
  readonly key?: string;
  /** The session's id, which stays the same when its token is renewed. */
  readonly session?: string;
}

const MAY: { readonly [Name in Role]: readonly Scope[] } = {
  viewer: ["read"],
  member: ["read", "submit", "operate"],
  admin: SCOPES,
};

export function isAllowed({ role, scopes }: Principal, scope: Scope): boolean {
  return MAY[role].includes(scope) && (scopes === null || scopes.includes(scope));
}

/** Whose things it may see and handle: one's own, or everybody's where this is null. */
export function ownOnly({ user, role }: Principal): string | null {
  return role === "member" ? user : null;
}
