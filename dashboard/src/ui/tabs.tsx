// Parts of a page of which one shows at a time. Which one is in the address, so the tabs are links.

import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

interface Props {
  readonly label: string;
  readonly to: "/activity" | "/settings";
  readonly tabs: readonly { readonly name: string; readonly label: string }[];
  readonly current: string;
}

export function LinkTabs({ label, to, tabs, current }: Props) {
  const line = useRef<HTMLElement>(null);
  // On a phone they are wider than the page, and the one that shows may be the last.
  useEffect(() => {
    const chosen = line.current?.querySelector<HTMLElement>(`[data-tab="${current}"]`);
    if (chosen) line.current?.scrollTo({ left: chosen.offsetLeft - chosen.offsetWidth });
  }, [current]);
  return (
    <nav
      ref={line}
      aria-label={label}
      className="relative flex gap-1 overflow-x-auto shadow-[inset_0_-1px_var(--line)]"
    >
      {tabs.map(({ name, label: text }) => (
        <Link
          key={name}
          data-tab={name}
          to={to}
          search={{ tab: name }}
          aria-current={name === current ? "page" : undefined}
          className="inline-flex min-h-11 items-center border-b-2 border-transparent px-3 text-sm font-medium whitespace-nowrap text-soft aria-[current=page]:border-accent aria-[current=page]:text-ink"
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}
