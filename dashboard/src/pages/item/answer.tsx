// What an item asks, and the answers it takes.

import { useQuery } from "@tanstack/react-query";
import type { Item, Question } from "../../../../src/server/contract/wire.ts";
import { enc } from "../../api/ask.ts";
import { useDeed } from "../../api/deed.ts";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Wrong } from "../../ui/wrong.tsx";

const texts = words.item.actions;

export function Answer({ item: { id, state } }: { readonly item: Item }) {
  const isAsking = state === "needs-you";
  const { data, error } = useQuery({ ...queries.questionsOf(id), enabled: isAsking });
  const me = useQuery(queries.me());
  if (!isAsking) return null;
  if (data === undefined) return <Wrong error={error} />;
  return data.entries.map((asked) => <Asked key={asked.id} asked={asked} mayAnswer={me.data?.role !== "viewer"} />);
}

interface Props {
  readonly asked: Question;
  readonly mayAnswer: boolean;
}

function Asked({ asked: { id, question, options }, mayAnswer }: Props) {
  const deed = useDeed();
  const give = (answer: string) => deed.mutate({ path: `/api/v1/questions/${enc(id)}/answer`, body: { answer } });
  return (
    <div className="space-y-2 rounded-md border border-asking/60 p-3">
      <p className="font-medium" dir="auto">
        {question}
      </p>
      {!mayAnswer ? (
        <p className="text-sm text-soft">{words.item.mayNotAnswer}</p>
      ) : options === null ? (
        <Form error={deed.error} className="flex flex-wrap items-end gap-2" onGiven={({ answer = "" }) => give(answer)}>
          <TextField label={texts.names.answer} name="answer" required maxLength={1_000} />
          <Button type="submit" kind="main" disabled={deed.isPending}>
            {texts.names.answer}
          </Button>
        </Form>
      ) : (
        <div className="flex flex-wrap gap-2">
          {options.map((option) => (
            <Button key={option} kind="main" disabled={deed.isPending} onClick={() => give(option)}>
              {option}
            </Button>
          ))}
          <Wrong error={deed.error} />
        </div>
      )}
    </div>
  );
}
