// What is wrong, what was done to many, who did what, and what was told to whom.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { LinkTabs } from "../../ui/tabs.tsx";
import { Alerts } from "./alerts.tsx";
import { Audit } from "./audit.tsx";
import { Messages } from "./messages.tsx";
import { OneOperation, Operations } from "./operations.tsx";
import { Stuck } from "./stuck.tsx";

const texts = words.activity;
const route = getRouteApi("/inside/activity");

export function Activity() {
  const { tab, operation, after } = route.useSearch();
  const me = useQuery(queries.me());
  const isAdmin = me.data?.role === "admin";
  const names = isAdmin
    ? (["alerts", "stuck", "bulk", "people", "messages"] as const)
    : (["alerts", "stuck", "bulk"] as const);
  const current = names.find((name) => name === tab) ?? "alerts";
  return (
    <div className="space-y-5">
      <h1 className="text-2xl font-semibold">{words.pages.activity}</h1>
      <LinkTabs
        label={words.pages.activity}
        to="/activity"
        current={current}
        tabs={names.map((name) => ({ name, label: texts.tabs[name] }))}
      />
      {current === "alerts" ? <Alerts isAdmin={isAdmin} /> : null}
      {current === "stuck" ? <Stuck /> : null}
      {current === "bulk" && operation === undefined ? <Operations /> : null}
      {current === "bulk" && operation !== undefined ? <OneOperation id={operation} /> : null}
      {current === "people" ? <Audit after={after} /> : null}
      {current === "messages" ? <Messages /> : null}
    </div>
  );
}
