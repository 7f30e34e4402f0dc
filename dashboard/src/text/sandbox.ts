export const sandbox = {
  page: "Break something",
  about:
    "This is a demo world: small real services on this machine. Break one, and watch what the items say; mend it, and watch them go on.",
  onlyAdmins: "Admins break and mend; you can watch.",
  states: { up: "up", starting: "starting", down: "down" },
  break: (fault: string) => `Break: ${fault}`,
  mend: "Mend",
  mendAll: "Mend everything",
  brokenFor: "Broken for",
  none: "There is nothing to break here.",
} as const;
