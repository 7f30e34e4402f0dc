// Every text of the dashboard's own, in one place. What an item waits for, and why, is the server's to say.

import type { ItemLine } from "../../../src/server/contract/wire.ts";
import { activity } from "./activity.ts";
import { documents } from "./documents.ts";
import { item } from "./item.ts";
import { media } from "./media.ts";
import { overview } from "./overview.ts";
import { pipelines } from "./pipelines.ts";
import { request } from "./request.ts";
import { sandbox } from "./sandbox.ts";
import { services } from "./services.ts";
import { settings } from "./settings.ts";
import { work } from "./work.ts";
import { workers } from "./workers.ts";

export type State = ItemLine["state"];

export const words = {
  product: "Sluice",
  skip: "Skip to the page",
  navigation: "Main",
  pages: {
    overview: "Overview",
    work: "Work",
    pipelines: "Pipelines",
    services: "Services",
    workers: "Workers",
    activity: "Activity",
    settings: "Settings",
    more: "More",
  },
  states: {
    queued: "Queued",
    running: "Running",
    waiting: "Waiting",
    "needs-you": "Needs you",
    done: "Done",
    failed: "Failed",
    cancelled: "Cancelled",
  } satisfies Record<State, string>,
  live: {
    on: "Live",
    off: "Live updates paused: looking every 10 seconds",
    offline: "The server does not answer; what you see is from before",
    newer: "The server was updated.",
    reload: "Reload",
  },
  errors: {
    noAnswer: "The server did not answer. It may be starting, or out of reach from here.",
    odd: (status: number) => `The server answered ${status} in a way this page does not understand.`,
    panel: (what: string) => `Could not load ${what}.`,
    again: "Try again",
    old: (what: string) => `${what} could not be refreshed; what you see is from before.`,
    reference: (id: string) => `Reference ${id}`,
    page: "This page broke",
    pageHelp: "Reloading usually helps. If it does not, the line below helps whoever mends it.",
    nothingHere: "There is no such page",
    home: "To the overview",
  },
  theme: { label: "Theme", system: "As the system", light: "Light", dark: "Dark" },
  account: { signOut: "Sign out", menu: "Your account", stillIn: (why: string) => `You are still signed in. ${why}` },
  signIn: {
    title: "Sign in",
    name: "Name",
    password: "Password",
    go: "Sign in",
    lost: "A forgotten password is set anew from the terminal: sluice user password NAME",
  },
  setUp: {
    title: "The first account",
    about: "An admin's. The link that led here is good for this once.",
    noToken: "This page is opened by the link that the first start printed in the terminal; it ends with a code.",
    go: "Create account",
    rule: "At least twelve characters.",
  },
  copy: { do: "Copy", done: "Copied" },
  loading: (what: string) => `Loading ${what}…`,
  more: "Show more",
  none: "–",
  back: "Back",
  now: "now",
  within: (left: string) => `in ${left}`,
  on: "On",
  off: "Off",
  activity,
  documents,
  item,
  media,
  overview,
  pipelines,
  request,
  sandbox,
  services,
  settings,
  work,
  workers,
} as const;
