// What an admin has to set before anybody can be served. Nothing where all of it is set.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { mediaQueries } from "../../api/media.ts";
import { words } from "../../text/words.ts";
import { buttonLook } from "../../ui/button.tsx";
import { Panel } from "../../ui/panel.tsx";

const texts = words.media.setUp;

export function SetUp() {
  const { data: metadata } = useQuery(mediaQueries.metadata());
  const { data: indexers } = useQuery(mediaQueries.indexers());
  const { data: clients } = useQuery(mediaQueries.clients());
  if (metadata === undefined || indexers === undefined || clients === undefined) return null;
  const steps = [
    { what: texts.metadata, isSet: metadata.hasKey },
    { what: texts.indexers, isSet: indexers.entries.some(({ isOn }) => isOn) },
    { what: texts.clients, isSet: clients.entries.some(({ isOn }) => isOn) },
  ];
  if (steps.every(({ isSet }) => isSet)) return null;
  return (
    <Panel title={texts.title}>
      <div className="space-y-3 px-4 pb-4">
        <p>{texts.about}</p>
        <ul className="list-disc pl-5">
          {steps.map(({ what, isSet }) => (
            <li key={what}>
              {what}:{" "}
              <span className={isSet ? "text-done" : "font-medium text-waiting"}>
                {isSet ? texts.done : texts.missing}
              </span>
            </li>
          ))}
        </ul>
        <Link to="/settings" search={{ tab: "media" }} className={buttonLook("main")}>
          {texts.link}
        </Link>
      </div>
    </Panel>
  );
}
