/** Follows one task from the shell, over restarts of the daemon, until nothing more will happen. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Conversation, Interaction } from '../../../shared/schema/tasks/interaction.ts';
import { FINAL_STATUSES, TaskStatus } from '../../../shared/schema/tasks/task-status.ts';
import { request, requestStream } from '../client.ts';
import { CliError, ExitCode } from '../exit-code.ts';
import type { Said } from './print-conversation.ts';

const RETRY_MS = 1_000;
const PAGE = '500';

const Word = z.object({
  ...Interaction.pick({ id: true, type: true, content: true, timestamp: true }).shape,
  ...Interaction.pick({ tool: true, is_error: true, author: true }).partial().shape,
});
const Status = z.object({ type: z.literal('status'), status: TaskStatus });

export type Followed = { said: Said } | { status: TaskStatus };

/**
 * Each interaction after the last known one, once and in order, and each status. Ends with the task.
 * Throws a RefusedError.
 */
export async function* followTask(
  name: string,
  after: number,
  { signal, notice }: { signal: AbortSignal; notice: (text: string) => void },
): AsyncGenerator<Followed, void, void> {
  const params = { name };
  let last = after;
  let reported: TaskStatus | null = null;
  let isLost = false;
  while (!signal.aborted) {
    try {
      const stream = await requestStream('streamTask', { params }, signal);
      if (isLost) notice('reconnected');
      isLost = false;
      // First what was said before the stream was open; it may say some of that once more.
      for await (const said of saidAfter(name, last)) {
        last = said.id;
        yield { said };
      }
      for await (const data of eventData(stream)) {
        const said = Word.safeParse(data);
        const status = Status.safeParse(data);
        if (said.success && said.data.id > last) {
          last = said.data.id;
          yield { said: said.data };
        } else if (status.success && status.data.status !== reported) {
          reported = status.data.status;
          const isOver = FINAL_STATUSES.includes(reported);
          // Interactions are stored before the end is reported; the stream may stay open after it.
          if (isOver) for await (const rest of saidAfter(name, last)) yield { said: rest };
          yield { status: reported };
          if (isOver) return;
        }
      }
      const now = await request('getTaskStatus', { params });
      if (FINAL_STATUSES.includes(now.status)) return;
    } catch (error) {
      if (isAbort(error)) return;
      if (!isDisconnected(error)) throw error;
      if (!isLost) notice('the daemon does not answer; waiting for it');
      isLost = true;
    }
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function* saidAfter(name: string, after: number): AsyncGenerator<Interaction, void, void> {
  for (let cursor: number | null = after; cursor !== null;) {
    const query = { after: String(cursor), limit: PAGE, collapse_tools: 'false' };
    const page: Conversation = await request('getConversation', { params: { name }, query });
    for (const entry of page.conversation) if (entry.type !== 'tool_group') yield entry;
    cursor = page.next;
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function isDisconnected(error: unknown): boolean {
  return error instanceof CliError && error.exitCode === ExitCode.notRunning;
}

/** The data of Server-Sent Events as JSON; what is not JSON is left out. */
export async function* eventData(
  stream: AsyncIterable<Uint8Array>,
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
