// A list of what is set: each with its test, a change and its removal, and the way to one more.

import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { List, MediaTested } from "../../../../../src/server/contract/wire.ts";
import { useDeed } from "../../../api/deed.ts";
import { type MediaSet, mediaPaths, TEST_MS } from "../../../api/media.ts";
import { words } from "../../../text/words.ts";
import { AskFirst } from "../../../ui/ask-first.tsx";
import { Button } from "../../../ui/button.tsx";
import { Modal } from "../../../ui/modal.tsx";
import { Empty, Loaded, Panel } from "../../../ui/panel.tsx";
import { Wrong } from "../../../ui/wrong.tsx";
import { Tested } from "./tested.tsx";

const texts = words.settings.media;

interface Named {
  readonly name: string;
}

export interface FormProps<One extends Named> {
  /** Undefined for a new one. */
  readonly of: One | undefined;
  readonly taken: readonly string[];
  readonly onDone: () => void;
}

interface Words {
  readonly title: string;
  readonly about: string;
  readonly none?: string;
  readonly add: string;
  readonly adding: string;
  readonly removeAbout: string;
}

interface Props<One extends Named> {
  readonly set: MediaSet;
  readonly query: UseQueryResult<List<One>, Error>;
  readonly texts: Words;
  readonly tell: (one: One) => ReactNode;
  readonly canTest: boolean;
  readonly canRemove?: (one: One) => boolean;
  readonly form: (props: FormProps<One>) => ReactNode;
}

export function SetList<One extends Named>({ set, query, texts: own, tell, canTest, canRemove, form }: Props<One>) {
  const [open, setOpen] = useState<{ readonly of: One | undefined }>();
  const taken = query.data?.entries.map(({ name }) => name) ?? [];
  const close = () => setOpen(undefined);
  const title = open?.of === undefined ? own.adding : texts.changeOf(open.of.name);
  return (
    <Panel title={own.title} aside={<Button onClick={() => setOpen({ of: undefined })}>{own.add}</Button>}>
      <p className="px-4 pb-2 text-sm text-soft">{own.about}</p>
      <Loaded query={query} what={own.title}>
        {({ entries }) =>
          entries.length === 0 && own.none !== undefined ? (
            <Empty>{own.none}</Empty>
          ) : (
            <ul className="divide-y divide-line border-t border-line">
              {entries.map((one) => (
                <Line
                  key={one.name}
                  set={set}
                  name={one.name}
                  canTest={canTest}
                  onChange={() => setOpen({ of: one })}
                  removeAbout={canRemove?.(one) === false ? undefined : own.removeAbout}
                >
                  {tell(one)}
                </Line>
              ))}
            </ul>
          )
        }
      </Loaded>
      <Modal title={title} isOpen={open !== undefined} onClose={close}>
        {open === undefined ? null : form({ of: open.of, taken, onDone: close })}
      </Modal>
    </Panel>
  );
}

interface LineProps {
  readonly set: MediaSet;
  readonly name: string;
  readonly canTest: boolean;
  readonly onChange: () => void;
  /** Undefined where it cannot be removed. */
  readonly removeAbout: string | undefined;
  readonly children: ReactNode;
}

function Line({ set, name, canTest, onChange, removeAbout, children }: LineProps) {
  const test = useDeed<MediaTested>();
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 grow basis-64">{children}</div>
        {canTest ? (
          <Button
            aria-label={texts.testOf(name)}
            disabled={test.isPending}
            onClick={() => test.mutate({ path: mediaPaths.test(set, name), limitMs: TEST_MS })}
          >
            {texts.test}
          </Button>
        ) : null}
        <Button aria-label={texts.changeOf(name)} onClick={onChange}>
          {texts.change}
        </Button>
        {removeAbout === undefined ? null : (
          <AskFirst
            label={words.settings.remove}
            title={texts.removing(name)}
            about={removeAbout}
            deed={{ path: mediaPaths.one(set, name), method: "DELETE" }}
          />
        )}
      </div>
      {canTest ? <Tested tested={test.data} isPending={test.isPending} /> : null}
      <Wrong error={test.error} className="mt-2" />
    </li>
  );
}
