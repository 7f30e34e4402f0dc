// A button for what cannot be taken back, or loses something: it says what would happen, and asks.

import { Dialog } from "@base-ui/react/dialog";
import { useState } from "react";
import { useDeed } from "../api/deed.ts";
import type { Deed } from "../api/intention.ts";
import { words } from "../text/words.ts";
import { Button } from "./button.tsx";
import { Modal } from "./modal.tsx";
import { Wrong } from "./wrong.tsx";

interface Props {
  readonly label: string;
  readonly title: string;
  readonly about: string;
  readonly deed: Deed;
  readonly onDone?: () => void;
  /** What it is for is no danger, only what it costs. */
  readonly isMild?: boolean;
}

export function AskFirst({ label, title, about, deed: order, onDone, isMild = false }: Props) {
  const [isAsking, setAsking] = useState(false);
  const deed = useDeed(() => {
    setAsking(false);
    onDone?.();
  });
  return (
    <>
      <Button kind={isMild ? "plain" : "danger"} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <Modal title={title} isOpen={isAsking} onClose={() => setAsking(false)}>
        <div className="space-y-4">
          <p>{about}</p>
          <Wrong error={deed.error} />
          <div className="flex justify-end gap-2">
            <Dialog.Close render={<Button>{words.back}</Button>} />
            <Button kind={isMild ? "main" : "danger"} disabled={deed.isPending} onClick={() => deed.mutate(order)}>
              {label}
            </Button>
          </div>
        </div>
      </Modal>
    </>
  );
}
