/** Reads Server-Sent Events from the bytes of an answer, however they are cut. */

export interface StreamFrame {
  /** `message` without a name. */
  event: string;
  /** The cursor after this frame; empty without one. */
  id: string;
  data: string;
}

/** Frames without data, as comments that keep a stream open, are given too: they are a sign of life. */
export async function* streamFrames(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<StreamFrame, void, void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) yield frameOf(block);
  }
}

function frameOf(block: string): StreamFrame {
  const frame: StreamFrame = { event: 'message', id: '', data: '' };
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^(event|id|data): ?(.*)$/.exec(line) ?? [];
    if (field === 'data') frame.data += frame.data === '' ? value : `\n${value}`;
    else if (field === 'event' || field === 'id') frame[field] = value;
  }
  return frame;
}
