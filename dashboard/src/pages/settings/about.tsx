import { useQuery } from "@tanstack/react-query";
import { queries } from "../../api/queries.ts";
import { bytes } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { Loaded, Panel } from "../../ui/panel.tsx";

const texts = words.settings.about;

export function About() {
  const overview = useQuery(queries.overview());
  const doctor = useQuery(queries.doctor());
  return (
    <Panel title={words.settings.tabs.about}>
      <Loaded query={overview} what={words.settings.tabs.about}>
        {({ version, database }) => (
          <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 px-4 pb-3">
            <dt className="text-soft">{texts.version}</dt>
            <dd>{version}</dd>
            <dt className="text-soft">{texts.database}</dt>
            <dd>{texts.postgres(database.version, bytes(database.bytes))}</dd>
          </dl>
        )}
      </Loaded>
      <Loaded query={doctor} what={texts.health}>
        {({ isOk, checks }) => (
          <div className="px-4 pb-3">
            <h3 className="text-sm font-medium text-soft">{texts.health}</h3>
            {isOk ? <p>{texts.allKept}</p> : null}
            <ul className="list-disc pl-5">
              {checks
                .filter((check) => !check.isOk)
                .map(({ name, wrong, remedy }) => (
                  <li key={name}>
                    {wrong} {remedy}
                  </li>
                ))}
            </ul>
          </div>
        )}
      </Loaded>
      <p className="px-4 pb-4">
        <a href="/api/docs" className="underline">
          {texts.api}
        </a>
      </p>
    </Panel>
  );
}
