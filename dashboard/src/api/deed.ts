// Something done by a person: done once, then everything is looked at anew.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "./ask.ts";
import { type Deed, Intention } from "./intention.ts";

export type { Deed } from "./intention.ts";

export function useDeed<Answer = unknown>(onDone?: (answer: Answer) => void) {
  const client = useQueryClient();
  const [intention] = useState(() => new Intention());
  return useMutation({
    mutationFn: ({ path, method = "POST", body, limitMs }: Deed) => {
      const asked = { method, body, ...(limitMs === undefined ? {} : { limitMs }) };
      // What is put or deleted twice is the same as once.
      return ask<Answer>(path, method === "POST" ? { ...asked, key: intention.keyOf({ path, ...asked }) } : asked);
    },
    onSuccess: (answer) => onDone?.(answer),
    onSettled: (_, error) => {
      intention.settle(error);
      return client.invalidateQueries();
    },
  });
}
