// One thing that is set: its name, its fields, a test of it before it is saved, and saving.

import { Dialog } from "@base-ui/react/dialog";
import { type MouseEvent, type ReactNode, useState } from "react";
import type { MediaTested } from "../../../../../src/server/contract/wire.ts";
import { useDeed } from "../../../api/deed.ts";
import { type MediaSet, mediaPaths, TEST_MS } from "../../../api/media.ts";
import { words } from "../../../text/words.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Form, type Given, givenIn } from "../../../ui/form.tsx";
import { Wrong } from "../../../ui/wrong.tsx";
import { Tested } from "./tested.tsx";

const texts = words.settings.media;
const NAME = "[A-Za-z0-9][A-Za-z0-9._\\-]{0,62}";

interface Props {
  readonly set: MediaSet;
  /** Undefined for a new one, which gets a name that none has. */
  readonly name: string | undefined;
  readonly taken: readonly string[];
  readonly bodyOf: (given: Given) => object;
  readonly canTest: boolean;
  readonly onDone: () => void;
  readonly children: ReactNode;
}

export function SettingForm({ set, name: fixed, taken, bodyOf, canTest, onDone, children }: Props) {
  const save = useDeed(onDone);
  const test = useDeed<MediaTested>();
  const [clash, setClash] = useState<Error | null>(null);
  const nameIn = ({ name = "" }: Given) => fixed ?? name.trim();
  const give = (given: Given) => {
    const name = nameIn(given);
    if (fixed === undefined && taken.includes(name)) return setClash(new Error(texts.taken(name)));
    setClash(null);
    save.mutate({ path: mediaPaths.one(set, name), method: "PUT", body: bodyOf(given) });
  };
  const tryOut = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    if (form === null || !form.reportValidity()) return;
    const given = givenIn(form);
    test.mutate({ path: mediaPaths.test(set, nameIn(given)), body: bodyOf(given), limitMs: TEST_MS });
  };
  return (
    <Form error={clash ?? save.error} onGiven={give}>
      {fixed === undefined ? (
        <TextField
          label={texts.name}
          name="name"
          required
          pattern={NAME}
          maxLength={63}
          autoComplete="off"
          autoCapitalize="none"
        />
      ) : null}
      {children}
      {canTest ? <Tested tested={test.data} isPending={test.isPending} /> : null}
      <Wrong error={test.error} />
      <div className="flex flex-wrap justify-end gap-2">
        <Dialog.Close render={<Button>{words.back}</Button>} />
        {canTest ? (
          <Button disabled={test.isPending} onClick={tryOut}>
            {texts.test}
          </Button>
        ) : null}
        <Button type="submit" kind="main" disabled={save.isPending}>
          {words.settings.save}
        </Button>
      </div>
    </Form>
  );
}
