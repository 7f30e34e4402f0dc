// Orders that take a word more than a press: why a stage is skipped, which priority, whether it is really to go.

import { useNavigate } from "@tanstack/react-router";
import { useDeed } from "../../api/deed.ts";
import { words } from "../../text/words.ts";
import { Choice, TextField } from "../../ui/field.tsx";
import { OrderForm, type OrderProps } from "./order-form.tsx";

const { skip, priority: levels, cancel, remove, actions } = words.item;

const wayOf = ({ possible }: OrderProps, name: string) =>
  possible.actions.find(({ action }) => action === name) ?? { path: null, body: null };

export function Skip(props: OrderProps) {
  const deed = useDeed(props.onDone);
  const { path, body } = wayOf(props, "skip");
  return (
    <OrderForm
      go={skip.go}
      isReady={path !== null && !deed.isPending}
      error={deed.error}
      onGiven={({ reason }) => (path === null ? undefined : deed.mutate({ path, body: { ...body, reason } }))}
    >
      <p>{skip.about(props.possible.stage)}</p>
      <TextField label={skip.reason} name="reason" required maxLength={500} />
    </OrderForm>
  );
}

export function Priority(props: OrderProps) {
  const deed = useDeed(props.onDone);
  const { path } = wayOf(props, "priority");
  return (
    <OrderForm
      go={levels.go}
      isReady={path !== null && !deed.isPending}
      error={deed.error}
      onGiven={(given) =>
        path === null ? undefined : deed.mutate({ path, body: { priority: Number(given.priority) } })
      }
    >
      <Choice
        label={actions.names.priority}
        name="priority"
        defaultValue={String(props.possible.priority)}
        options={levels.levels.map((label, index) => ({ value: String(index + 1), label }))}
      />
    </OrderForm>
  );
}

export function Cancel(props: OrderProps) {
  const deed = useDeed(props.onDone);
  const { path, body } = wayOf(props, "cancel");
  return (
    <OrderForm
      go={cancel.go}
      isReady={path !== null && !deed.isPending}
      isDanger
      error={deed.error}
      onGiven={() => (path === null ? undefined : deed.mutate(body === null ? { path } : { path, body }))}
    >
      <p>{cancel.about}</p>
    </OrderForm>
  );
}

export function Remove(props: OrderProps) {
  const navigate = useNavigate();
  const deed = useDeed(() => void navigate({ to: "/work" }));
  const { path } = wayOf(props, "remove");
  return (
    <OrderForm
      go={remove.go}
      isReady={path !== null && !deed.isPending}
      isDanger
      error={deed.error}
      onGiven={() => (path === null ? undefined : deed.mutate({ path }))}
    >
      <p>{remove.about}</p>
    </OrderForm>
  );
}
