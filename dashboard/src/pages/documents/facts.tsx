import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { DocumentView } from "../../../../src/server/contract/wire.ts";
import { bytes } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { CopyButton } from "../../ui/copy.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Ago, At } from "../../ui/time.tsx";

const texts = words.documents.one;

export function Facts({ document: found }: { readonly document: DocumentView }) {
  const { id, owner, mapping, pages, sha256, attemptCount, attemptsMost, result, source } = found;
  const size = bytes(found.bytes);
  return (
    <Panel title={texts.facts}>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 px-4 pb-3">
        <Fact label={texts.size}>{pages === null ? size : `${size}, ${words.documents.pages(pages)}`}</Fact>
        <Fact label={texts.mapping}>{mapping}</Fact>
        <Fact label={texts.attempts}>{texts.attemptsOf(attemptCount, attemptsMost)}</Fact>
        <Time label={texts.lastAttempt} at={found.lastAttemptAt} />
        <Time label={texts.uploaded} at={found.createdAt} />
        {owner === null ? null : <Fact label={texts.by}>{owner}</Fact>}
        <Time label={texts.queued} at={found.queuedAt} />
        <Time label={texts.started} at={found.startedAt} />
        <Time label={texts.finished} at={found.finishedAt} />
        {result === null ? null : (
          <Fact label={texts.result}>
            {bytes(result.bytes)}
            {result.expiresAt === null ? null : (
              <>
                , {texts.expires} <Ago at={result.expiresAt} />
              </>
            )}
          </Fact>
        )}
        <Fact label={texts.source}>
          {source.isThere ? texts.sourceThere : texts.sourceGone}
          {source.goneAt === null ? null : (
            <>
              {source.isThere ? `, ${texts.expires} ` : " "}
              <Ago at={source.goneAt} />
            </>
          )}
        </Fact>
        <Fact label={texts.hash} isWide>
          <span className="inline-flex items-start gap-1 font-mono text-xs wrap-anywhere">
            {sha256} <CopyButton text={sha256} label={texts.copyHash} />
          </span>
        </Fact>
      </dl>
      <p className="px-4 pb-4 text-sm">
        <Link to="/items/$id" params={{ id }} className="underline">
          {texts.item}
        </Link>
      </p>
    </Panel>
  );
}

function Time({ label, at }: { readonly label: string; readonly at: string | null }) {
  if (at === null) return null;
  return (
    <Fact label={label}>
      <At at={at} />
    </Fact>
  );
}

interface FactProps {
  readonly label: string;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

function Fact({ label, isWide = false, children }: FactProps) {
  return (
    <div className={isWide ? "col-span-2" : ""}>
      <dt className="text-sm text-soft">{label}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}
