import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { words } from "../text/words.ts";

/** Over plain http on a LAN there is no clipboard to write to: then the text is selected, and copied the old way. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    setDone(await copied(text));
    setTimeout(() => setDone(false), 2_000);
  };
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={() => void copy()}
      className="rounded p-1 hover:bg-sunk"
    >
      {isDone ? <Check aria-hidden className="size-4 text-done" /> : <Copy aria-hidden className="size-4" />}
      <span role="status" className="sr-only">
        {isDone ? words.copy.done : ""}
      </span>
    </button>
  );
}

async function copied(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(text);
    return true;
  }
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  return isCopied;
}
