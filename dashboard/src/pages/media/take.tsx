// Before another release is taken: what happens then.

import { Dialog } from "@base-ui/react/dialog";
import { useDeed } from "../../api/deed.ts";
import { mediaPaths } from "../../api/media.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { Modal } from "../../ui/modal.tsx";
import { Wrong } from "../../ui/wrong.tsx";
import type { Shown } from "./release-table.tsx";

const texts = words.media.releases;

/** What is given up for it. */
export type Loss = "nothing" | "download" | "ready";

interface Props {
  readonly item: string;
  readonly chosen: Shown | undefined;
  readonly loss: Loss;
  readonly onClose: () => void;
}

export function TakeThis({ item, chosen, loss, onClose }: Props) {
  const deed = useDeed(onClose);
  return (
    <>
      <Modal title={texts.takeTitle} isOpen={chosen !== undefined} onClose={onClose}>
        {chosen === undefined ? null : (
          <div className="space-y-4">
            <p className="font-medium wrap-anywhere" dir="auto">
              {chosen.title}
            </p>
            {chosen.reason === undefined ? null : <p dir="auto">{texts.takeRefused(chosen.reason)}</p>}
            <p>{texts.takeAbout[loss]}</p>
            <Wrong error={deed.error} />
            <div className="flex flex-wrap justify-end gap-2">
              <Dialog.Close render={<Button>{words.back}</Button>} />
              <Button
                kind="main"
                disabled={deed.isPending}
                onClick={() => deed.mutate({ path: mediaPaths.choose(item), body: { release: chosen.id } })}
              >
                {texts.take}
              </Button>
            </div>
          </div>
        )}
      </Modal>
      <p role="status" className="px-4 text-sm text-soft empty:hidden">
        {deed.isSuccess ? texts.taking : ""}
      </p>
    </>
  );
}
