// Where encoders on other machines speak.

import { createRoute } from "@hono/zod-openapi";
import type { MediaApp } from "../../../apps/media/index.ts";
import type { Sluice } from "../../../engine/index.ts";
import { answers, jsonBody } from "../../contract/common.ts";
import { boardAnswer, encoderHas, encoderNews, encoderWord } from "../../contract/media/encoder-word.ts";
import { mediaNameParam } from "../../contract/media/settings.ts";
import { tablesFor } from "../../http/dry-run.ts";
import type { Routes } from "../../http/routes.ts";
import { callerOf } from "./encoder-caller.ts";

export function addEncoderSayRoute(routes: Routes, sluice: Sluice, { desk }: MediaApp): void {
  routes.add(
    "encode",
    createRoute({
      method: "post",
      path: "/api/v1/media/encoders/{name}/say",
      tags: ["media encoders"],
      summary: "An encoder says what it can and how its jobs stand, and is told what to begin and what to let go of",
      request: { params: mediaNameParam, ...jsonBody(encoderWord) },
      responses: answers("What it has to do", boardAnswer),
    }),
    async (c) => {
      const { name } = c.req.valid("param");
      const word = c.req.valid("json");
      const told = await desk.hear(tablesFor(c, sluice.tables), callerOf(c, name), word);
      // Again and again: what is worth noting is that it came and that it went.
      c.set("deed", word.isFirst || word.isLast ? deedOf(name, word) : null);
      return c.json(told, 200);
    },
  );
  routes.add(
    "encode",
    createRoute({
      method: "post",
      path: "/api/v1/media/encoders/{name}/wait",
      tags: ["media encoders"],
      summary: "Answers when there is something for an encoder, or after a while: 20 s at most",
      description: "So it need not ask again and again. What there is, it is told when it speaks.",
      request: { params: mediaNameParam, ...jsonBody(encoderHas) },
      responses: answers("Whether there is", encoderNews),
    }),
    async (c) => {
      const { name } = c.req.valid("param");
      c.set("deed", null);
      const caller = callerOf(c, name);
      const wait = () => desk.wait(sluice.tables, caller, c.req.valid("json").jobs, c.req.raw.signal);
      return c.json({ isNews: c.get("isDry") ? false : await wait() }, 200);
    },
  );
}

const deedOf = (
  name: string,
  { isLast, self, slots }: { isLast: boolean; self: { version: string }; slots: number },
) => ({
  action: isLast ? "media.encoder.left" : "media.encoder.came",
  subject: name,
  detail: { ffmpeg: self.version, slots },
});
