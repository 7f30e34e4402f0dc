// One stream for all tabs of a browser: over plain http a browser opens six connections to a server, and ten tabs would want ten.

/// <reference lib="webworker" />
import { Stream } from "./stream.ts";
import type { FromTab, ToTab } from "./tab.ts";

declare const self: SharedWorkerGlobalScope;

const tabs = new Set<MessagePort>();
const tell = (message: ToTab) => {
  for (const tab of tabs) tab.postMessage(message);
};
const stream = new Stream({
  onState: (state) => tell({ type: "state", state }),
  onEvent: (event) => tell({ type: "event", event }),
});

self.onconnect = ({ ports: [port] }) => {
  if (port === undefined) return;
  tabs.add(port);
  if (tabs.size === 1) stream.open();
  port.postMessage({ type: "state", state: stream.state } satisfies ToTab);
  port.onmessage = ({ data }: MessageEvent<FromTab>) => {
    if (data === "again") stream.open();
    if (data !== "bye") return;
    tabs.delete(port);
    if (tabs.size === 0) stream.close();
  };
};
