// Light, dark, or as the system has it. Remembered in this browser.

import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";

const KEY = "sluice.theme";
const watchers = new Set<() => void>();

function current(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

export function chooseTheme(theme: Theme): void {
  if (theme === "system") {
    delete document.documentElement.dataset.theme;
    localStorage.removeItem(KEY);
  } else {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem(KEY, theme);
  }
  for (const one of watchers) one();
}

function watch(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}

const DARK = "(prefers-color-scheme: dark)";

function watchAll(changed: () => void): () => void {
  const leave = watch(changed);
  const system = matchMedia(DARK);
  system.addEventListener("change", changed);
  return () => {
    leave();
    system.removeEventListener("change", changed);
  };
}

/** Whatever decides it: what was chosen here, or the system. */
export const useIsDark = () =>
  useSyncExternalStore(watchAll, () => (current() === "system" ? matchMedia(DARK).matches : current() === "dark"));

export const useTheme = () => useSyncExternalStore(watch, current);
