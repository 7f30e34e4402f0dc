// Server-sent events from a stream of bytes: the data of each. Bounded: a line that never ends is cut off.

const LONGEST = 1_048_576;

export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split(/\r\n|\n|\r/);
    rest = lines.pop() ?? "";
    if (rest.length > LONGEST) return;
    for (const line of lines) {
      if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
      // An empty line ends an event; comments and ids are none.
      if (line !== "" || data.length === 0) continue;
      yield data.join("\n");
      data = [];
    }
  }
}
