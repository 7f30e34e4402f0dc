import { Dialog } from "@base-ui/react/dialog";
import { useState } from "react";
import { useDeed } from "../../api/deed.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Modal } from "../../ui/modal.tsx";

const texts = words.pipelines;

interface Props {
  /** Where it is posted to, and what has to be sent along. */
  readonly path: string;
  readonly body: object;
  readonly what: string;
  readonly help: string;
}

export function HoldButton({ path, body, what, help }: Props) {
  const [isAsking, setAsking] = useState(false);
  const deed = useDeed(() => setAsking(false));
  const title = texts.closed.open(texts.hold, what);
  return (
    <>
      <Button aria-label={title} onClick={() => setAsking(true)}>
        {texts.hold}
      </Button>
      <Modal title={title} isOpen={isAsking} onClose={() => setAsking(false)}>
        <Form
          error={deed.error}
          onGiven={({ note = "" }) =>
            deed.mutate({ path, body: note.trim() === "" ? body : { ...body, note: note.trim() } })
          }
        >
          <p>{help}</p>
          <TextField label={texts.note} name="note" maxLength={500} />
          <div className="flex justify-end gap-2">
            <Dialog.Close render={<Button>{words.back}</Button>} />
            <Button type="submit" kind="main" disabled={deed.isPending}>
              {texts.hold}
            </Button>
          </div>
        </Form>
      </Modal>
    </>
  );
}
