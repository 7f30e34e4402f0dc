// How one would rather see a page, kept in its address: a reload, a shared link and going back show the same.

import { useNavigate, useSearch } from "@tanstack/react-router";

/** Whether the address has this value under this name, and how to put it there or take it out. */
export function useChosen(name: "as" | "state", value: string): readonly [boolean, (isChosen: boolean) => void] {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const choose = (isChosen: boolean) =>
    void navigate({
      to: ".",
      search: (old: Readonly<Record<string, unknown>>) => ({ ...old, [name]: isChosen ? value : undefined }),
      replace: true,
    });
  return [search[name] === value, choose];
}
