// Quiet while live; says so in words where it is not.

import { useQuery } from "@tanstack/react-query";
import { CloudOff, RefreshCw } from "lucide-react";
import { useRef } from "react";
import { queries } from "../api/queries.ts";
import { useLive } from "../live/live.tsx";
import { words } from "../text/words.ts";
import { Button } from "../ui/button.tsx";

export function LiveChip() {
  const { state } = useLive();
  const overview = useQuery(queries.overview());
  const built = useRef<string>(undefined);
  built.current ??= overview.data?.version;
  if (overview.data !== undefined && overview.data.version !== built.current)
    return (
      <p role="status" className="flex items-center gap-2 text-sm">
        {words.live.newer}
        <Button onClick={() => location.reload()}>
          <RefreshCw aria-hidden className="size-4" /> {words.live.reload}
        </Button>
      </p>
    );
  if (state === "on")
    return (
      <p className="flex items-center gap-1.5 text-sm text-soft">
        <span aria-hidden className="size-2 rounded-full bg-done" /> {words.live.on}
      </p>
    );
  return (
    <p role="status" className="flex items-center gap-1.5 text-sm text-waiting">
      <CloudOff aria-hidden className="size-4 shrink-0" />
      {overview.isError ? words.live.offline : words.live.off}
    </p>
  );
}
