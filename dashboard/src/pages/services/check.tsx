// "Check now": has a worker call a service that is down, and tells what came back.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Service } from "../../../../src/server/contract/wire.ts";
import { enc } from "../../api/ask.ts";
import { useDeed } from "../../api/deed.ts";
import { serverNow } from "../../api/server-clock.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { useNow } from "../../ui/now.ts";
import { Wrong } from "../../ui/wrong.tsx";
import { type Checked, cameOf, checkedNow, follow } from "./checked.ts";

const texts = words.services.check;

interface Props {
  readonly service: Service;
  /** In which answer it was found. */
  readonly within: "services" | "overview";
  readonly onChecked?: () => void;
}

const SOON_MS = 1_000;

export function CheckNow({ service, within, onChecked }: Props) {
  const [checked, setChecked] = useState<Checked>();
  const check = useDeed(() => {
    setChecked(checkedNow(service, serverNow()));
    onChecked?.();
  });
  const { name, state } = service;
  const seen = checked === undefined ? undefined : follow(checked, service);
  if (seen !== checked) setChecked(seen);
  return (
    <>
      {state === "down" ? (
        <Button
          aria-label={texts.of(name)}
          disabled={check.isPending}
          onClick={() => check.mutate({ path: `/api/v1/services/${enc(name)}/check` })}
        >
          {words.services.checkNow}
        </Button>
      ) : null}
      <Wrong error={check.error} className="basis-full" />
      {seen === undefined ? null : <Outcome service={service} checked={seen} within={within} />}
    </>
  );
}

function Outcome({ service, checked, within }: Props & { readonly checked: Checked }) {
  const client = useQueryClient();
  const came = cameOf(checked, service, useNow());
  // No event tells that a service is still down.
  useEffect(() => {
    if (came !== "looking") return;
    const look = () => void client.invalidateQueries({ queryKey: [within], exact: true }, { cancelRefetch: false });
    const timer = setInterval(look, SOON_MS);
    return () => clearInterval(timer);
  }, [client, came, within]);
  return (
    <p role="status" className={`basis-full text-sm ${LOOKS[came]}`}>
      {texts[came]}
    </p>
  );
}

const LOOKS = { looking: "text-soft", back: "text-done", down: "text-failed", nobody: "text-waiting" } as const;
