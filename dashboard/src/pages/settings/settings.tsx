// One's own access, and for admins everybody's, who is told what and when.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { queries } from "../../api/queries.ts";
import { hasMedia } from "../../frame/places.ts";
import { words } from "../../text/words.ts";
import { LinkTabs } from "../../ui/tabs.tsx";
import { About } from "./about.tsx";
import { Channels } from "./channels.tsx";
import { DeliverySettings } from "./delivery/delivery-settings.tsx";
import { Integrations } from "./integrations.tsx";
import { Keys } from "./keys.tsx";
import { MediaSettings } from "./media/media-settings.tsx";
import { OwnAccess } from "./own-access.tsx";
import { People } from "./people.tsx";
import { Retention } from "./retention.tsx";
import { Rules } from "./rules.tsx";

const texts = words.settings;
const route = getRouteApi("/inside/settings");

const ADMIN = [
  "account",
  "people",
  "integrations",
  "channels",
  "rules",
  "media",
  "delivery",
  "retention",
  "about",
] as const;
const OF_MEDIA: ReadonlySet<string> = new Set(["media", "delivery"]);
const OTHERS = ["account", "retention", "about"] as const;

const tabsFor = (isAdmin: boolean, hasMediaToo: boolean) =>
  isAdmin ? ADMIN.filter((name) => !OF_MEDIA.has(name) || hasMediaToo) : OTHERS;

export function Settings() {
  const { tab } = route.useSearch();
  const me = useQuery(queries.me());
  const isAdmin = me.data?.role === "admin";
  const { data: overview } = useQuery(queries.overview());
  const names = tabsFor(isAdmin, hasMedia(overview));
  const current = names.find((name) => name === tab) ?? "account";
  return (
    <div className="space-y-5">
      <h1 className="text-2xl font-semibold">{words.pages.settings}</h1>
      <LinkTabs
        label={words.pages.settings}
        to="/settings"
        current={current}
        tabs={names.map((name) => ({ name, label: texts.tabs[name] }))}
      />
      {current === "account" ? (
        <>
          <OwnAccess />
          <Keys />
        </>
      ) : null}
      {current === "people" ? <People /> : null}
      {current === "integrations" ? <Integrations /> : null}
      {current === "channels" ? <Channels /> : null}
      {current === "rules" ? <Rules /> : null}
      {current === "media" ? <MediaSettings /> : null}
      {current === "delivery" ? <DeliverySettings /> : null}
      {current === "retention" ? <Retention isAdmin={isAdmin} /> : null}
      {current === "about" ? <About /> : null}
    </div>
  );
}
