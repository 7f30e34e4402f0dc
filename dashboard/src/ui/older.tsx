import { words } from "../text/words.ts";
import { Button } from "./button.tsx";

interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

/** The way on, where a list has more than it shows. */
export function Older({ pages, label = words.work.older }: { readonly pages: Pages; readonly label?: string }) {
  if (!pages.hasNextPage) return null;
  return (
    <p className="flex justify-end px-4 py-2">
      <Button disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
        {label}
      </Button>
    </p>
  );
}
