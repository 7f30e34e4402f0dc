// What is asked before something is asked for: how good, where it goes, and of a series which seasons. Then what came of it.

import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { MediaAsked, MediaSeasons, MediaTitle } from "../../../../src/server/contract/wire.ts";
import { useDeed } from "../../api/deed.ts";
import { mediaPaths, mediaQueries } from "../../api/media.ts";
import { day } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { Button, buttonLook } from "../../ui/button.tsx";
import { Choice } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { useNow } from "../../ui/now.ts";
import { Loaded } from "../../ui/panel.tsx";
import { AskWhere } from "./ask-where.tsx";
import { askingFor, type Destinations, isMeant, usualOf } from "./asking.ts";

const texts = words.media.ask;

export function Ask({ title }: { readonly title: MediaTitle }) {
  const deed = useDeed<MediaAsked>();
  // Null for all of them.
  const [seasons, setSeasons] = useState<ReadonlySet<number> | null>(null);
  const { data: servers } = useQuery(mediaQueries.targets());
  // Undefined until somebody chose otherwise than is usual.
  const [changed, setTo] = useState<Destinations>();
  const known = servers?.entries ?? [];
  const to = changed ?? { chosen: usualOf(known), policy: "best-effort" as const };
  if (deed.data !== undefined) return <Came asked={deed.data} />;
  const isReady = (seasons === null || seasons.size > 0) && isMeant(to.chosen, known);
  return (
    <Form
      error={deed.error}
      onGiven={({ profile = "" }) =>
        deed.mutate({
          path: mediaPaths.requests,
          body: askingFor(title, { profile, seasons: seasons === null ? null : [...seasons], to }),
        })
      }
    >
      {title.overview === null ? null : (
        <p className="line-clamp-4 text-sm text-soft" dir="auto">
          {title.overview}
        </p>
      )}
      {title.kind === "series" ? <Seasons tmdb={title.tmdb} chosen={seasons} onChoose={setSeasons} /> : null}
      <Profile />
      {servers === undefined ? null : <AskWhere servers={known} to={to} onChoose={setTo} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Dialog.Close render={<Button>{words.back}</Button>} />
        <Button type="submit" kind="main" disabled={deed.isPending || !isReady}>
          {texts.go}
        </Button>
      </div>
    </Form>
  );
}

function Profile() {
  const { data } = useQuery(mediaQueries.profiles());
  const profiles = data?.entries ?? [];
  if (profiles.length === 0) return <p className="text-sm text-soft">{texts.profileNone}</p>;
  return (
    <Choice
      label={texts.profile}
      name="profile"
      defaultValue={profiles.find(({ name }) => name === "standard")?.name}
      options={profiles.map(({ name }) => ({ value: name, label: name }))}
    />
  );
}

interface SeasonsProps {
  readonly tmdb: number;
  readonly chosen: ReadonlySet<number> | null;
  readonly onChoose: (seasons: ReadonlySet<number> | null) => void;
}

function Seasons({ tmdb, chosen, onChoose }: SeasonsProps) {
  const query = useQuery(mediaQueries.seasons(tmdb));
  return (
    <fieldset className="space-y-1 text-sm">
      <legend className="mb-1 font-medium">{texts.which}</legend>
      <Way label={texts.all} isChosen={chosen === null} onChoose={() => onChoose(null)} />
      <Way label={texts.some} isChosen={chosen !== null} onChoose={() => onChoose(new Set())} />
      {chosen === null ? null : (
        <Loaded query={query} what={texts.which}>
          {({ seasons }) => <SeasonList seasons={seasons} chosen={chosen} onChoose={onChoose} />}
        </Loaded>
      )}
      {chosen?.size === 0 ? <p className="text-soft">{texts.someNone}</p> : null}
    </fieldset>
  );
}

interface ListProps {
  readonly seasons: MediaSeasons["seasons"];
  readonly chosen: ReadonlySet<number>;
  readonly onChoose: (seasons: ReadonlySet<number>) => void;
}

function SeasonList({ seasons, chosen, onChoose }: ListProps) {
  const now = useNow();
  const turn = (season: number, isIn: boolean) =>
    onChoose(new Set(isIn ? [...chosen, season] : [...chosen].filter((one) => one !== season)));
  return (
    <ul className="grid max-h-64 gap-x-4 overflow-y-auto pl-6 sm:grid-cols-2">
      {seasons.map(({ season, episodes, airs }) => (
        <li key={season}>
          <label className="flex min-h-9 items-center gap-2 max-sm:min-h-11">
            <input
              type="checkbox"
              checked={chosen.has(season)}
              onChange={({ target }) => turn(season, target.checked)}
            />
            <span>
              {words.media.season(season)}{" "}
              <span className="text-soft">
                {words.media.episodes(episodes)}
                {airs === null ? "" : `, ${texts.airs(day(airs, now))}`}
              </span>
            </span>
          </label>
        </li>
      ))}
    </ul>
  );
}

interface WayProps {
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Way({ label, isChosen, onChoose }: WayProps) {
  return (
    <label className="flex min-h-9 items-center gap-2 max-sm:min-h-11">
      <input type="radio" name="which" checked={isChosen} onChange={onChoose} /> {label}
    </label>
  );
}

function Came({ asked: { request, outcome, sentence } }: { readonly asked: MediaAsked }) {
  return (
    <div className="space-y-4">
      <div role="status" className="space-y-1">
        <p className="font-medium" dir="auto">
          {sentence}
        </p>
        <p>{texts.outcomes[outcome]}</p>
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        <Dialog.Close render={<Button>{texts.another}</Button>} />
        {request === null ? null : (
          <Link to="/media/requests/$request" params={{ request }} className={buttonLook("main")}>
            {texts.open}
          </Link>
        )}
      </div>
    </div>
  );
}
