import { Dialog } from "@base-ui/react/dialog";
import { useState } from "react";
import type { Valve } from "../../../../src/server/contract/wire.ts";
import { useDeed } from "../../api/deed.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Modal } from "../../ui/modal.tsx";
import { Ago } from "../../ui/time.tsx";

const texts = words.pipelines;

interface Props {
  readonly pipeline: string;
  readonly held: Valve | undefined;
  readonly isAdmin: boolean;
}

export function HoldButton({ pipeline, held, isAdmin }: Props) {
  const [isAsking, setAsking] = useState(false);
  const [note, setNote] = useState("");
  const deed = useDeed(() => setAsking(false));
  if (held !== undefined)
    return (
      <p className="flex flex-wrap items-center gap-2 text-sm text-waiting">
        {texts.heldSince} <Ago at={held.since} />
        {held.note === null ? "" : `: ${held.note}`}
        {isAdmin && held.pipeline !== null ? (
          <Button disabled={deed.isPending} onClick={() => deed.mutate({ path: "/api/v1/resume", body: { pipeline } })}>
            {texts.resume}
          </Button>
        ) : null}
      </p>
    );
  if (!isAdmin) return null;
  const body = note.trim() === "" ? { pipeline } : { pipeline, note: note.trim() };
  return (
    <>
      <Button onClick={() => setAsking(true)}>{texts.hold}</Button>
      <Modal title={`${texts.hold}: ${pipeline}`} isOpen={isAsking} onClose={() => setAsking(false)}>
        <form
          className="space-y-4"
          onSubmit={(event) => {
            event.preventDefault();
            deed.mutate({ path: "/api/v1/hold", body });
          }}
        >
          <p>{texts.holdHelp}</p>
          <TextField label={texts.note} value={note} maxLength={500} onChange={({ target }) => setNote(target.value)} />
          <p role="alert" className="text-failed">
            {deed.error?.message}
          </p>
          <div className="flex justify-end gap-2">
            <Dialog.Close render={<Button>{words.back}</Button>} />
            <Button type="submit" kind="main" disabled={deed.isPending}>
              {texts.hold}
            </Button>
          </div>
        </form>
      </Modal>
    </>
  );
}
