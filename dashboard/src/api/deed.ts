// Something done by a person: sent once, then everything is looked at anew.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Asked, ask } from "./ask.ts";

export interface Deed extends Asked {
  readonly path: string;
}

export function useDeed<Answer = unknown>(onDone?: (answer: Answer) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ path, ...asked }: Deed) => ask<Answer>(path, { method: "POST", ...asked }),
    onSuccess: (answer) => onDone?.(answer),
    onSettled: () => client.invalidateQueries(),
  });
}
