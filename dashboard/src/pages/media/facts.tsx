// What was asked for, by whom and when; and how it is given up.

import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { MediaRequest } from "../../../../src/server/contract/wire.ts";
import { enc } from "../../api/ask.ts";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { AskFirst } from "../../ui/ask-first.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Ago } from "../../ui/time.tsx";
import { isUnderWay, openOf } from "./standing.ts";

const { request: texts, cancel, remove } = words.media;

export function Facts({ request }: { readonly request: MediaRequest }) {
  const { profile, owners, createdAt, counts, targets, policy } = request;
  return (
    <Panel title={texts.facts}>
      <dl className="grid gap-x-6 gap-y-3 px-4 pb-4 sm:grid-cols-[repeat(auto-fit,minmax(10rem,1fr))]">
        <Fact label={texts.profile}>{profile}</Fact>
        {owners.length === 0 ? null : <Fact label={texts.owners}>{owners.join(", ")}</Fact>}
        <Fact label={texts.when}>
          <Ago at={createdAt} />
        </Fact>
        <Fact label={texts.targets}>
          {targets.length === 0
            ? texts.nowhere
            : targets.map(({ name, encoding }) => texts.target(name, encoding)).join(", ")}
        </Fact>
        {targets.length > 1 ? (
          <Fact label={words.media.ask.to.policy}>{words.media.ask.to.policies[policy]}</Fact>
        ) : null}
        <Fact label={texts.counts}>{words.request.counts(counts.total, counts.completed)}</Fact>
      </dl>
      <div className="flex flex-wrap items-center gap-2 px-4 pb-4">
        <GiveUp request={request} />
        <Link to="/requests/$id" params={{ id: request.request }} className="ml-auto text-sm underline">
          {texts.engine}
        </Link>
      </div>
    </Panel>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-soft">{label}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}

function GiveUp({ request: { request, title, status, counts } }: { readonly request: MediaRequest }) {
  const me = useQuery(queries.me());
  const navigate = useNavigate();
  const role = me.data?.role;
  if (role !== "admin" && role !== "member") return null;
  const path = `/api/v1/requests/${enc(request)}`;
  const away = () => void navigate({ to: "/media" });
  return (
    <>
      {!isUnderWay(status) ? null : role === "member" ? (
        <AskFirst
          label={cancel.leave}
          title={cancel.leaveTitle(title)}
          about={cancel.leaveAbout}
          deed={{ path: `${path}/cancel` }}
          onDone={away}
        />
      ) : (
        <AskFirst
          label={cancel.go}
          title={cancel.title(title)}
          about={cancel.about(openOf(counts))}
          deed={{ path: `${path}/cancel` }}
        />
      )}
      <AskFirst
        label={remove.go}
        title={remove.title(title)}
        about={remove.about}
        deed={{ path: `${path}/remove` }}
        onDone={away}
      />
    </>
  );
}
