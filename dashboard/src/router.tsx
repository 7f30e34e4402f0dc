// Every address of the dashboard. What a page shows is in its address: reloading, sharing and going back need nothing else.

import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { Broken, NoSuchPage } from "./frame/broken.tsx";
import { Door } from "./frame/door.tsx";
import { FirstRun } from "./frame/first-run.tsx";
import { Frame } from "./frame/frame.tsx";
import { Overview } from "./pages/overview/overview.tsx";

const root = createRootRoute({ notFoundComponent: NoSuchPage, errorComponent: Broken });
const setup = createRoute({ getParentRoute: () => root, path: "/setup", component: FirstRun });
/** Behind the door: who is not signed in sees the form in its place, at the same address. */
const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  component: () => (
    <Door>
      <Frame />
    </Door>
  ),
});

type Search = Record<string, unknown>;
/** What is no text there is as if it were not: a page falls back to how it begins. The router reads a film's "1917" as a number. */
const text = (search: Search, name: string) => {
  const value = typeof search[name] === "number" ? String(search[name]) : search[name];
  return typeof value === "string" && value !== "" ? { [name]: value } : {};
};

const within = { getParentRoute: () => inside };
const pages = [
  createRoute({
    ...within,
    path: "/",
    component: Overview,
    validateSearch: (s: Search): { range?: string; as?: string } => ({ ...text(s, "range"), ...text(s, "as") }),
  }),
  createRoute({
    ...within,
    path: "/work",
    component: lazyRouteComponent(() => import("./pages/work/work.tsx"), "Work"),
    validateSearch: (s: Search): { filter?: string; after?: string; view?: string } => ({
      ...text(s, "filter"),
      ...text(s, "after"),
      ...text(s, "view"),
    }),
  }),
  createRoute({
    ...within,
    path: "/items/$id",
    // What was typed, chosen or opened for one item is not for another.
    remountDeps: ({ params }) => params,
    component: lazyRouteComponent(() => import("./pages/item/item.tsx"), "Item"),
    validateSearch: (s: Search): { tab?: string; as?: string } => ({ ...text(s, "tab"), ...text(s, "as") }),
  }),
  createRoute({
    ...within,
    path: "/requests/$id",
    remountDeps: ({ params }) => params,
    component: lazyRouteComponent(() => import("./pages/request/request.tsx"), "Request"),
  }),
  createRoute({
    ...within,
    path: "/media",
    component: lazyRouteComponent(() => import("./pages/media/media.tsx"), "Media"),
    validateSearch: (s: Search): { show?: string; find?: string; kind?: string } => ({
      ...text(s, "show"),
      ...text(s, "find"),
      ...text(s, "kind"),
    }),
  }),
  createRoute({
    ...within,
    path: "/media/requests/$request",
    remountDeps: ({ params }) => params,
    component: lazyRouteComponent(() => import("./pages/media/request.tsx"), "MediaRequest"),
    validateSearch: (s: Search): { item?: string } => text(s, "item"),
  }),
  createRoute({
    ...within,
    path: "/documents",
    component: lazyRouteComponent(() => import("./pages/documents/documents.tsx"), "Documents"),
    validateSearch: (s: Search): { show?: string; owner?: string; name?: string } => ({
      ...text(s, "show"),
      ...text(s, "owner"),
      ...text(s, "name"),
    }),
  }),
  createRoute({
    ...within,
    path: "/documents/$id",
    remountDeps: ({ params }) => params,
    component: lazyRouteComponent(() => import("./pages/documents/document.tsx"), "Document"),
    validateSearch: (s: Search): { as?: string } => text(s, "as"),
  }),
  createRoute({
    ...within,
    path: "/pipelines",
    component: lazyRouteComponent(() => import("./pages/pipelines/pipelines.tsx"), "Pipelines"),
    validateSearch: (s: Search): { pipeline?: string } => text(s, "pipeline"),
  }),
  createRoute({
    ...within,
    path: "/services",
    component: lazyRouteComponent(() => import("./pages/services/services.tsx"), "Services"),
    validateSearch: (s: Search): { service?: string } => text(s, "service"),
  }),
  createRoute({
    ...within,
    path: "/sandbox",
    component: lazyRouteComponent(() => import("./pages/sandbox/sandbox.tsx"), "Sandbox"),
  }),
  createRoute({
    ...within,
    path: "/workers",
    component: lazyRouteComponent(() => import("./pages/workers/workers.tsx"), "Workers"),
  }),
  createRoute({
    ...within,
    path: "/activity",
    component: lazyRouteComponent(() => import("./pages/activity/activity.tsx"), "Activity"),
    validateSearch: (s: Search): { tab?: string; state?: string; after?: string; operation?: string } => ({
      ...text(s, "tab"),
      ...text(s, "state"),
      ...text(s, "after"),
      ...text(s, "operation"),
    }),
  }),
  createRoute({
    ...within,
    path: "/settings",
    component: lazyRouteComponent(() => import("./pages/settings/settings.tsx"), "Settings"),
    validateSearch: (s: Search): { tab?: string } => text(s, "tab"),
  }),
] as const;

const tree = root.addChildren([setup, inside.addChildren([...pages])]);

export const makeRouter = () => createRouter({ routeTree: tree, scrollRestoration: true });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
