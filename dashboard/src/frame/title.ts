// What the browser calls the page, in its tabs and its history: the page's own heading.

import { type RefObject, useEffect } from "react";
import { words } from "../text/words.ts";

const LONGEST = 80;

export function titleOf(heading: string | null | undefined): string {
  const text = heading?.trim() ?? "";
  if (text === "") return words.product;
  return `${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text} · ${words.product}`;
}

export function useTitle(heading: string): void {
  useEffect(() => {
    document.title = titleOf(heading);
  }, [heading]);
}

/** Pages have their headings when what they are about has come; whatever it says then is the title. */
export function useTitleOf(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = page.current;
    if (element === null) return;
    const look = () => {
      const title = titleOf(element.querySelector("h1")?.textContent);
      if (document.title !== title) document.title = title;
    };
    look();
    const watch = new MutationObserver(look);
    watch.observe(element, { childList: true, characterData: true, subtree: true });
    return () => watch.disconnect();
  }, [page]);
}
