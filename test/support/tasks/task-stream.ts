/** Reads the stream of one task as any client of Server-Sent Events would. */
import type { ApiClient } from '../daemon/api-client.ts';

export interface TaskFrame {
  /** The last id so far, whether or not this frame carried it. */
  at: string | null;
  /** Set by this frame. */
  id: string | null;
  event: string;
  data: Record<string, unknown> | null;
  comment: boolean;
}

export class TaskStream {
  readonly frames: TaskFrame[] = [];
  /** The last id; the next stream resumes from it. */
  at: string | null;
  readonly #aborter: AbortController;
  readonly #blocks: AsyncGenerator<string, void>;

  private constructor(
    body: ReadableStream<Uint8Array>,
    at: string | null,
    aborter: AbortController,
  ) {
    this.#aborter = aborter;
    this.#blocks = blocksOf(body);
    this.at = at;
  }

  /** Opens the stream; `at` is sent as Last-Event-ID. Throws with the status when it is refused. */
  static async open(api: ApiClient, name: string, at: string | null = null): Promise<TaskStream> {
    const aborter = new AbortController();
    const response = await fetch(`${api.url}/api/v1/tasks/by-name/${name}/stream`, {
      headers: {
        authorization: `Bearer ${api.token}`,
        ...(at === null ? {} : { 'last-event-id': at }),
      },
      signal: aborter.signal,
    });
    if (response.status !== 200 || response.body === null) throw new Error(`${response.status}`);
    return new TaskStream(response.body, at, aborter);
  }

  /** The next frame, or null when the daemon has ended the stream. */
  async next(): Promise<TaskFrame | null> {
    const block = await this.#blocks.next();
    if (block.done === true) return null;
    const { value } = block;
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(value)?.[1];
    const id = field('id') ?? null;
    this.at = id ?? this.at;
    const text = field('data');
    const data = text === undefined ? null : (JSON.parse(text) as TaskFrame['data']);
    const comment = value.startsWith(':');
    const frame = { at: this.at, id, event: field('event') ?? '', data, comment };
    this.frames.push(frame);
    return frame;
  }

  /** Reads until a frame fits. Throws when the stream ends before. */
  async until(fits: (frame: TaskFrame) => boolean): Promise<TaskFrame> {
    for (;;) {
      const frame = await this.next();
      if (frame === null) throw new Error(`it ended after ${JSON.stringify(this.frames)}`);
      if (fits(frame)) return frame;
    }
  }

  /** Reads until the daemon ends the stream; returns all frames with data. */
  async toEnd(): Promise<Record<string, unknown>[]> {
    while ((await this.next()) !== null);
    return this.frames.flatMap(({ data }) => (data === null ? [] : [data]));
  }

  close(): void {
    this.#aborter.abort();
  }
}

async function* blocksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    yield* blocks;
  }
}
