// Searching what there is. What was searched for is in the address.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useState } from "react";
import type { MediaTitle } from "../../../../src/server/contract/wire.ts";
import { type MediaKind, mediaQueries } from "../../api/media.ts";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { FIELD } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Modal } from "../../ui/modal.tsx";
import { Empty, Loaded, Panel } from "../../ui/panel.tsx";
import { Ask } from "./ask.tsx";
import { Poster } from "./poster.tsx";

const texts = words.media.find;
const route = getRouteApi("/inside/media");
const KINDS = ["film", "series"] as const satisfies readonly MediaKind[];

export function Find() {
  const { find = "", kind: said } = route.useSearch();
  const kind: MediaKind = said === "series" ? "series" : "film";
  const navigate = route.useNavigate();
  const search = (query: string, of: MediaKind) =>
    void navigate({
      search: ({ show }) => ({
        ...(show === undefined ? {} : { show }),
        ...(query === "" ? {} : { find: query }),
        ...(of === "film" ? {} : { kind: of }),
      }),
    });
  return (
    <>
      <Form
        error={null}
        className="flex flex-wrap items-center gap-2"
        onGiven={({ query = "" }) => search(query.trim(), kind)}
      >
        <div className="flex min-w-0 grow basis-72 gap-2">
          <input
            key={find}
            type="search"
            name="query"
            aria-label={texts.label}
            placeholder={texts.placeholder}
            defaultValue={find}
            maxLength={200}
            dir="auto"
            autoComplete="off"
            className={`${FIELD} mt-0! min-w-0`}
          />
          <Button type="submit" kind="main" aria-label={texts.go} className="min-h-10">
            <Search aria-hidden className="size-4" />
            <span className="max-sm:hidden">{texts.go}</span>
          </Button>
        </div>
        <Kinds kind={kind} onChoose={(of, query) => search(query, of)} />
      </Form>
      {find === "" ? null : <Results query={find} kind={kind} onClose={() => search("", kind)} />}
    </>
  );
}

interface KindsProps {
  readonly kind: MediaKind;
  /** With what stands in the box by now. */
  readonly onChoose: (kind: MediaKind, query: string) => void;
}

function Kinds({ kind, onChoose }: KindsProps) {
  return (
    <fieldset className="inline-flex overflow-hidden rounded-md border border-edge">
      <legend className="sr-only">{texts.kind}</legend>
      {KINDS.map((one) => (
        <label
          key={one}
          className="inline-flex min-h-10 cursor-pointer items-center bg-panel px-3 text-sm font-medium hover:bg-sunk has-checked:bg-accent has-checked:text-on-accent has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-ink max-sm:min-h-11"
        >
          <input
            type="radio"
            name="kind"
            value={one}
            checked={one === kind}
            onChange={({ target }) => {
              const query = target.form === null ? "" : String(new FormData(target.form).get("query") ?? "");
              onChoose(one, query.trim());
            }}
            className="sr-only"
          />
          {texts.kinds[one]}
        </label>
      ))}
    </fieldset>
  );
}

interface ResultsProps {
  readonly query: string;
  readonly kind: MediaKind;
  readonly onClose: () => void;
}

function Results({ query, kind, onClose }: ResultsProps) {
  const found = useQuery(mediaQueries.titles(kind, query));
  const [asked, setAsked] = useState<MediaTitle>();
  const close = (
    <Button kind="quiet" onClick={onClose}>
      {texts.close}
    </Button>
  );
  return (
    <Panel title={texts.results(query)} aside={close}>
      <Loaded query={found} what={texts.what(kind, query)}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty>{texts.none}</Empty>
          ) : (
            <ul className="grid divide-line max-lg:divide-y lg:grid-cols-2">
              {entries.map((title) => (
                <Result key={title.tmdb} title={title} onAsk={() => setAsked(title)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <Modal
        title={asked === undefined ? "" : words.media.title(asked.title, asked.year)}
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
      >
        {asked === undefined ? null : <Ask title={asked} />}
      </Modal>
    </Panel>
  );
}

function Result({ title, onAsk }: { readonly title: MediaTitle; readonly onAsk: () => void }) {
  const me = useQuery(queries.me());
  const { poster, overview, request } = title;
  const name = words.media.title(title.title, title.year);
  return (
    <li className="flex gap-3 px-4 py-3">
      <Poster poster={poster} title={title.title} />
      <div className="min-w-0 grow space-y-1.5">
        <h3 className="line-clamp-2 font-semibold" dir="auto">
          {name}
        </h3>
        <p className="line-clamp-3 text-sm text-soft" dir="auto">
          {overview === null || overview === "" ? texts.noOverview : overview}
        </p>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {me.data?.role === "viewer" ? null : (
            <Button onClick={onAsk} aria-label={texts.askFor(name)}>
              {texts.ask}
            </Button>
          )}
          {request === null ? null : (
            <Link to="/media/requests/$request" params={{ request: request.id }} className="text-sm underline">
              {texts.there(statusWord(request.status))}
            </Link>
          )}
        </div>
      </div>
    </li>
  );
}

function statusWord(status: string): string {
  const said: { readonly [status: string]: string } = words.media.statuses;
  return (said[status] ?? status).toLowerCase();
}
