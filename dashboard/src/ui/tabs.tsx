// Parts of a page of which one shows at a time. Which one is in the address, so the tabs are links.

import { Link } from "@tanstack/react-router";

interface Props {
  readonly label: string;
  readonly to: "/activity" | "/settings";
  readonly tabs: readonly { readonly name: string; readonly label: string }[];
  readonly current: string;
}

export function LinkTabs({ label, to, tabs, current }: Props) {
  return (
    <nav aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map(({ name, label: text }) => (
        <Link
          key={name}
          to={to}
          search={{ tab: name }}
          aria-current={name === current ? "page" : undefined}
          className="-mb-px inline-flex min-h-11 items-center border-b-2 border-transparent px-3 text-sm font-medium whitespace-nowrap text-soft aria-[current=page]:border-accent aria-[current=page]:text-ink"
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}
