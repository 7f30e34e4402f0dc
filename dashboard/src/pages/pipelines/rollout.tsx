// Which share of new requests each version gets: first what would change, in the server's words, then the deed.

import { Dialog } from "@base-ui/react/dialog";
import { useState } from "react";
import type { Version } from "../../../../src/server/contract/wire.ts";
import { enc } from "../../api/ask.ts";
import { useDeed } from "../../api/deed.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Modal } from "../../ui/modal.tsx";
import { sharesOf, startOf } from "./shares.ts";

const texts = words.pipelines.rollout;

interface Props {
  readonly pipeline: string;
  readonly versions: readonly Version[];
}

export function Rollout({ pipeline, versions }: Props) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button aria-label={`${texts.change}: ${pipeline}`} onClick={() => setAsking(true)}>
        {texts.change}
      </Button>
      <Modal title={`${texts.change}: ${pipeline}`} isOpen={isAsking} onClose={() => setAsking(false)}>
        <Shares pipeline={pipeline} versions={versions} onDone={() => setAsking(false)} />
      </Modal>
    </>
  );
}

function Shares({ pipeline, versions, onDone }: Props & { readonly onDone: () => void }) {
  const [shares, setShares] = useState(startOf(versions));
  const path = `/api/v1/pipelines/${enc(pipeline)}/rollout`;
  const look = useDeed<{ readonly would: string | null }>();
  const change = useDeed(onDone);
  const order = { method: "PUT" as const, body: { shares: sharesOf(shares) } };
  const set = (version: number, value: string) => {
    look.reset();
    setShares({ ...shares, [version]: value });
  };
  const would = look.data?.would ?? null;
  return (
    <Form
      error={look.error ?? change.error}
      onGiven={() =>
        would === null ? look.mutate({ path: `${path}?dryRun=true`, ...order }) : change.mutate({ path, ...order })
      }
    >
      <p>{texts.about}</p>
      {versions.map(({ version }) => (
        <TextField
          key={version}
          label={texts.share(version)}
          type="number"
          min={0}
          max={100}
          step="any"
          value={shares[version] ?? ""}
          onChange={({ target }) => set(version, target.value)}
        />
      ))}
      <p role="status" className="font-medium">
        {would}
      </p>
      <div className="flex justify-end gap-2">
        <Dialog.Close render={<Button>{words.back}</Button>} />
        <Button type="submit" kind={would === null ? "plain" : "main"} disabled={look.isPending || change.isPending}>
          {would === null ? texts.look : texts.go}
        </Button>
      </div>
    </Form>
  );
}
