// What to do first, where nothing was ever done.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { queries } from "../../api/queries.ts";
import { hasDocuments, hasMedia } from "../../frame/places.ts";
import { words } from "../../text/words.ts";
import { CopyButton } from "../../ui/copy.tsx";
import { Empty, Panel } from "../../ui/panel.tsx";
import { firstLines, firstPipeline } from "./first.ts";

const texts = words.overview.next;
/** As the pipelines of the documentation are called. */
const ANY = "films";

export function WhatNext() {
  const { data: me } = useQuery(queries.me());
  const { data: overview } = useQuery(queries.overview());
  const { data: brought } = useQuery(queries.pipelines());
  const withMedia = hasMedia(overview);
  const withDocuments = hasDocuments(overview);
  const hasApp = withMedia || withDocuments;
  const pipeline = firstPipeline(brought?.entries.map(({ name }) => name) ?? [], overview);
  return (
    <Panel title={texts.title}>
      {me?.role === "viewer" ? (
        <Empty>{texts.viewer}</Empty>
      ) : (
        <ol className="list-decimal space-y-3 pr-4 pb-4 pl-9">
          {withMedia ? (
            <li>
              {texts.media}{" "}
              <Link to="/media" className="underline">
                {words.media.page}
              </Link>
            </li>
          ) : null}
          {withDocuments ? (
            <li>
              {texts.documents}{" "}
              <Link to="/documents" className="underline">
                {words.documents.page}
              </Link>
            </li>
          ) : null}
          {brought !== undefined && pipeline === undefined && !hasApp ? (
            <Step text={texts.worker} line={texts.workerLine} />
          ) : null}
          {hasApp && pipeline === undefined ? null : <HandIn pipeline={pipeline ?? ANY} />}
          {me?.role === "admin" ? <Others /> : null}
        </ol>
      )}
    </Panel>
  );
}

function HandIn({ pipeline }: { readonly pipeline: string }) {
  const { cli, api } = firstLines(location.origin, pipeline);
  return (
    <>
      <li>
        {texts.key}{" "}
        <Link to="/settings" className="underline">
          {texts.keyLink}
        </Link>
      </li>
      <Step text={texts.cli} line={cli} />
      <Step text={texts.api} line={api}>
        <a href="/api/docs" className="underline">
          {texts.docs}
        </a>
      </Step>
    </>
  );
}

function Others() {
  return (
    <li>
      {texts.others}{" "}
      <Link to="/settings" search={{ tab: "people" }} className="underline">
        {words.settings.tabs.people}
      </Link>
      {", "}
      <Link to="/settings" search={{ tab: "channels" }} className="underline">
        {words.settings.tabs.channels}
      </Link>
    </li>
  );
}

interface StepProps {
  readonly text: string;
  readonly line: string;
  readonly children?: ReactNode;
}

function Step({ text, line, children }: StepProps) {
  return (
    <li>
      {text} {children}
      <span className="mt-1 flex items-start gap-1">
        <code className="min-w-0 grow rounded bg-sunk px-2 py-1 text-sm wrap-anywhere">{line}</code>
        <CopyButton text={line} label={texts.copy(line)} />
      </span>
    </li>
  );
}
