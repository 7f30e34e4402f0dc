// Which of the documents are shown: by how they stand, whose they are and what they are called. All of it is in the address.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { documentQueries, type Whose } from "../../api/documents.ts";
import { short } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { FIELD } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { countOf, SHOWS, type Shown, saidBy } from "./shown.ts";

const texts = words.documents;
const route = getRouteApi("/inside/documents");
const WHOSE = ["everyone", "me"] as const satisfies readonly Whose[];

const LOOK =
  "inline-flex min-h-8 items-center gap-1.5 rounded-full border border-edge bg-panel px-3 text-sm hover:bg-sunk " +
  "[&[aria-current]]:border-accent [&[aria-current]]:font-semibold max-sm:min-h-11";

export function Filters({ shown }: { readonly shown: Shown }) {
  const { data } = useQuery(documentQueries.about());
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <nav aria-label={texts.shows.label} className="flex flex-wrap gap-1.5">
        {SHOWS.map((show) => (
          <Link
            key={show}
            to="/documents"
            search={saidBy({ ...shown, show })}
            activeOptions={{ exact: true }}
            aria-current={show === shown.show ? "page" : undefined}
            className={LOOK}
          >
            {texts.shows[show]}
            {data === undefined ? null : (
              <span className="font-normal tabular-nums text-soft">{short(countOf(show, data.counts))}</span>
            )}
          </Link>
        ))}
      </nav>
      {shown.role === "admin" ? (
        <nav aria-label={texts.whose.label} className="flex gap-1.5">
          {WHOSE.map((owner) => (
            <Link
              key={owner}
              to="/documents"
              search={saidBy({ ...shown, owner })}
              activeOptions={{ exact: true }}
              aria-current={owner === shown.owner ? "page" : undefined}
              className={LOOK}
            >
              {texts.whose[owner]}
            </Link>
          ))}
        </nav>
      ) : null}
      <NameBox shown={shown} />
    </div>
  );
}

function NameBox({ shown }: { readonly shown: Shown }) {
  const navigate = route.useNavigate();
  const find = (name: string) => void navigate({ search: saidBy({ ...shown, name }) });
  return (
    <search className="ml-auto max-sm:w-full">
      <Form error={null} className="flex gap-2" onGiven={({ name = "" }) => find(name.trim())}>
        <input
          key={shown.name}
          type="search"
          name="name"
          aria-label={texts.name.label}
          placeholder={texts.name.placeholder}
          defaultValue={shown.name}
          maxLength={200}
          dir="auto"
          autoComplete="off"
          className={`${FIELD} mt-0! min-h-9 min-w-0 sm:w-36`}
        />
        <Button type="submit" aria-label={texts.name.go}>
          <Search aria-hidden className="size-4" />
        </Button>
        {shown.name === "" ? null : (
          <Button kind="quiet" onClick={() => find("")}>
            {texts.name.clear}
          </Button>
        )}
      </Form>
    </search>
  );
}
