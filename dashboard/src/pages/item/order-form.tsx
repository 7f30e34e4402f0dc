// What is asked before an order is given.

import { Dialog } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import type { PossibleActions } from "../../../../src/server/contract/wire.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { Form, type Given } from "../../ui/form.tsx";

export interface OrderProps {
  readonly possible: PossibleActions;
  readonly onDone: () => void;
}

interface Props {
  readonly go: string;
  readonly isReady: boolean;
  readonly isDanger?: boolean;
  readonly error: Error | null;
  readonly onGiven: (given: Given) => void;
  readonly children: ReactNode;
}

export function OrderForm({ go, isReady, isDanger = false, error, onGiven, children }: Props) {
  return (
    <Form error={error} onGiven={onGiven}>
      {children}
      <div className="flex justify-end gap-2">
        <Dialog.Close render={<Button>{words.back}</Button>} />
        <Button type="submit" kind={isDanger ? "danger" : "main"} disabled={!isReady}>
          {go}
        </Button>
      </div>
    </Form>
  );
}
