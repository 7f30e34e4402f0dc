// One stream for all tabs of a browser: over plain http a browser opens six connections to a server, and ten tabs would want ten.

/// <reference lib="webworker" />
import { Stream } from "./stream.ts";
import type { FromTab, ToTab } from "./tab.ts";

declare const self: SharedWorkerGlobalScope;

const tabs = new Set<MessagePort>();
let whose: string | undefined;
const tell = (message: ToTab) => {
  for (const tab of tabs) tab.postMessage(message);
};
const stream = new Stream({
  onState: (state) => tell({ type: "state", state }),
  onEvent: (event) => tell({ type: "event", event }),
});

self.onconnect = ({ ports: [port] }) => {
  if (port === undefined) return;
  port.onmessage = ({ data }: MessageEvent<FromTab>) => {
    if (data.type === "here") return welcome(port, data.user);
    tabs.delete(port);
    if (tabs.size === 0 || data.type === "out") stream.close();
  };
};

/** Tabs of whoever was signed in before learn from the new stream's first word that they have to look at everything. */
function welcome(port: MessagePort, user: string): void {
  tabs.add(port);
  if (whose !== user) stream.again();
  else if (!stream.isWanted) stream.open();
  whose = user;
  port.postMessage({ type: "state", state: stream.state } satisfies ToTab);
}
