// Who encodes: whether it is there, what it can, what it is doing now, and how one more is added. Looked at every few seconds.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { mediaQueries } from "../../../api/media.ts";
import { words } from "../../../text/words.ts";
import { Button } from "../../../ui/button.tsx";
import { Modal } from "../../../ui/modal.tsx";
import { Empty, Loaded, Panel } from "../../../ui/panel.tsx";
import { AddEncoder } from "./add-encoder.tsx";
import { Encoder } from "./encoder.tsx";

const own = words.settings.delivery.encoders;

export function Encoders() {
  const query = useQuery(mediaQueries.encoders());
  const [isAdding, setAdding] = useState(false);
  return (
    <Panel title={own.title} aside={<Button onClick={() => setAdding(true)}>{own.add}</Button>}>
      <p className="px-4 pb-2 text-sm text-soft">{own.about}</p>
      <Loaded query={query} what={own.title}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty>{own.none}</Empty>
          ) : (
            <>
              {entries.some(({ state, isOn }) => state === "online" && isOn) ? null : (
                <p role="status" className="border-t border-line bg-waiting-soft px-4 py-2">
                  {own.nobody}
                </p>
              )}
              <ul className="divide-y divide-line border-t border-line">
                {entries.map((one) => (
                  <Encoder key={one.name} of={one} />
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
      <Modal title={own.adding.title} isOpen={isAdding} onClose={() => setAdding(false)}>
        <AddEncoder />
      </Modal>
    </Panel>
  );
}
