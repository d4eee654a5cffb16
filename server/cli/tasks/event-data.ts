/** The data of Server-Sent Events as JSON; what is not JSON is left out. */
export async function* eventData(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<unknown, void, void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of stream) {
    text += decoder.decode(bytes, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = dataOf(block);
      if (data !== undefined) yield data;
    }
  }
}

function dataOf(block: string): unknown {
  const lines = block.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  try {
    return JSON.parse(lines.map((line) => line.slice('data:'.length)).join('\n'));
  } catch {
    return undefined;
  }
}
