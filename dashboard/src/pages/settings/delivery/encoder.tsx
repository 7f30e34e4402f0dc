import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleOff, CircleX } from "lucide-react";
import type { EncoderView, MediaTested } from "../../../../../src/server/contract/wire.ts";
import { useDeed } from "../../../api/deed.ts";
import { mediaPaths, TEST_MS } from "../../../api/media.ts";
import { words } from "../../../text/words.ts";
import { AskFirst } from "../../../ui/ask-first.tsx";
import { Button } from "../../../ui/button.tsx";
import { Ago } from "../../../ui/time.tsx";
import { Toggle } from "../../../ui/toggle.tsx";
import { Wrong } from "../../../ui/wrong.tsx";
import { EncodeJob } from "../../media/encode-job.tsx";
import { Tested } from "../media/tested.tsx";

const own = words.settings.delivery.encoders;
const { test: TEST, testOf, removing } = words.settings.media;

const LOOKS = {
  online: { Icon: CircleCheck, colour: "text-done" },
  offline: { Icon: CircleX, colour: "text-failed" },
  stopped: { Icon: CircleOff, colour: "text-soft" },
} as const;

export function Encoder({ of }: { readonly of: EncoderView }) {
  const { name, isOn, state, jobs } = of;
  const test = useDeed<MediaTested>();
  const turn = useDeed();
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 grow basis-64">
          <Told of={of} />
        </div>
        <Toggle
          label={own.switch(name)}
          isOn={isOn}
          isDisabled={turn.isPending}
          onTurn={(on) => turn.mutate({ path: mediaPaths.one("encoders", name), method: "PUT", body: { isOn: on } })}
          {...(isOn ? {} : { word: own.isOff })}
        />
        <Button
          aria-label={testOf(name)}
          disabled={test.isPending}
          onClick={() => test.mutate({ path: mediaPaths.test("encoders", name), limitMs: TEST_MS })}
        >
          {TEST}
        </Button>
        {state === "online" ? null : (
          <AskFirst
            label={words.settings.remove}
            title={removing(name)}
            about={own.removeAbout}
            deed={{ path: mediaPaths.one("encoders", name), method: "DELETE" }}
          />
        )}
      </div>
      {jobs.length === 0 ? null : <Jobs of={of} />}
      <Tested tested={test.data} isPending={test.isPending} />
      <Wrong error={test.error ?? turn.error} className="mt-2" />
    </li>
  );
}

function Told({ of }: { readonly of: EncoderView }) {
  const { name, state, where, heardAt, version, program, codecs, slots, jobs, reads, hasNoNetwork } = of;
  const { Icon, colour } = LOOKS[state];
  const facts = [
    own.where[where],
    own.version(version, program),
    codecs.length === 0 ? own.codecsNone : own.codecs(codecs),
    ...(reads === null ? [] : [own.ways[reads]]),
    ...(hasNoNetwork ? [] : [own.hasNetwork]),
  ];
  return (
    <div className="space-y-0.5">
      <p className="flex flex-wrap items-center gap-x-3">
        <span className="font-medium wrap-anywhere" dir="auto">
          {name}
        </span>
        <span className={`inline-flex items-center gap-1.5 font-medium ${colour}`}>
          <Icon aria-hidden className="size-4 shrink-0" /> {own.states[state]}
        </span>
        <span className="text-sm text-soft">
          {state === "online" ? (
            own.slots(jobs.length, slots)
          ) : (
            <>
              {own.heard} <Ago at={heardAt} />
            </>
          )}
        </span>
      </p>
      <p className="text-sm text-soft wrap-anywhere">{facts.join(" · ")}</p>
    </div>
  );
}

function Jobs({ of: { name, jobs } }: { readonly of: EncoderView }) {
  return (
    <ul aria-label={own.jobs(name)} className="mt-2 divide-y divide-line rounded-md border border-line">
      {jobs.map((job) => (
        <EncodeJob key={`${job.item} ${job.encoding}`} job={job}>
          <Link to="/items/$id" params={{ id: job.item }} className="font-medium underline" dir="auto">
            {job.title ?? job.item}
          </Link>
          <span className="text-sm text-soft" dir="auto">
            {job.encoding}
          </span>
        </EncodeJob>
      ))}
    </ul>
  );
}
