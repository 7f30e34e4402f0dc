// Files that are dragged over the window. All of it is the target: one that is let go of beside a small one would be opened by the
// browser, in place of the page.

import { useEffect, useRef, useState } from "react";
import type { Given } from "./uploads.ts";

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") === true;

/** Whether some are over it now. While `onFiles` is undefined they are not taken, and nothing else happens either. */
export function useDrop(onFiles: ((given: readonly Given[]) => void) | undefined): boolean {
  const [isOver, setOver] = useState(false);
  const take = useRef(onFiles);
  take.current = onFiles;
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = take.current === undefined ? "none" : "copy";
      setOver(take.current !== undefined);
    };
    // Left for another element of the page, it has somewhere to go.
    const leave = ({ relatedTarget }: DragEvent) => (relatedTarget === null ? setOver(false) : undefined);
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      take.current?.(givenBy(event.dataTransfer));
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, []);
  return isOver;
}

function givenBy(dropped: DataTransfer | null): readonly Given[] {
  return [...(dropped?.items ?? [])].flatMap((item) => {
    const file = item.getAsFile();
    return file === null ? [] : [{ file, isFolder: item.webkitGetAsEntry()?.isDirectory === true }];
  });
}
