// PDFs that the server fetches. It says what is wrong with an address before it is sent anywhere.

import { useId, useState } from "react";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { FIELD, Labelled } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { readUrls } from "./uploads.ts";

const texts = words.documents.byUrl;

interface Props {
  readonly isOpen: boolean;
  readonly onUrls: (urls: readonly string[]) => void;
}

export function ByUrl({ isOpen, onUrls }: Props) {
  const hint = useId();
  const [error, setError] = useState<Error | null>(null);
  const give = ({ urls: text = "" }, form: HTMLFormElement) => {
    const read = readUrls(text);
    if ("wrong" in read) return setError(new Error(read.wrong));
    setError(null);
    onUrls(read.urls);
    form.reset();
  };
  return (
    <details className="min-w-0 grow basis-72">
      <summary className="inline-flex min-h-9 cursor-pointer items-center text-sm font-medium underline max-sm:min-h-11">
        {texts.open}
      </summary>
      <Form error={error} onGiven={give} className="space-y-2 pt-1">
        <Labelled label={texts.label}>
          <textarea
            name="urls"
            rows={3}
            disabled={!isOpen}
            placeholder={texts.placeholder}
            aria-describedby={hint}
            spellCheck={false}
            autoCapitalize="none"
            className={`${FIELD} py-2 font-mono text-sm font-normal`}
          />
        </Labelled>
        <p id={hint} className="text-sm text-soft">
          {texts.hint}
        </p>
        <Button type="submit" disabled={!isOpen}>
          {texts.go}
        </Button>
      </Form>
    </details>
  );
}
