/** `wait_for`: an event, the end of a loop, or a person's turn, for a bounded time. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { formatCursor } from '../../../shared/schema/events/cursor.ts';
import { request } from '../client.ts';
import { EventFilter } from './read-tools.ts';
import { untrustedJson } from './untrusted-text.ts';

const MAX_SECONDS = 300;
/** One request of the long poll. */
const POLL_SECONDS = 25;
const PAGE_EVENTS = '100';
const ENDED: readonly string[] = ['failed', 'stopped'];

const Until = z.enum(['event', 'loop_ended', 'person_needed']);
type Until = z.infer<typeof Until>;

const Input = {
  ...EventFilter,
  until: Until.default('event').describe(
    'event: any that matches the filter. loop_ended, person_needed: also when it is so already.',
  ),
  after: z.string().optional().describe('Cursor of an earlier answer; left out: from now'),
  timeout_seconds: z.int().min(1).max(MAX_SECONDS).default(60),
};

export function addWaitTool(server: McpServer): void {
  server.registerTool(
    'wait_for',
    {
      description: `Wait up to ${MAX_SECONDS} s for an event, the end of a loop or a person's turn. Answers with met, events and the cursor to continue from.`,
      inputSchema: Input,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async ({ until, after, timeout_seconds: seconds, ...filter }, { signal }) => {
      const deadline = performance.now() + seconds * 1_000;
      let cursor = after ?? (await head(signal));
      for (;;) {
        if (await isSo(until, filter.session, signal)) return answer(true, [], cursor);
        const left = Math.ceil((deadline - performance.now()) / 1_000);
        if (left <= 0) return answer(false, [], cursor);
        const wait = String(Math.min(left, POLL_SECONDS));
        const query = { ...filter, after: cursor, wait, limit: PAGE_EVENTS };
        const page = await request('listEvents', { query }, signal);
        cursor = formatCursor(page.epoch, page.next);
        if (until === 'event' && page.events.length > 0) return answer(true, page.events, cursor);
      }
    },
  );
}

function answer(met: boolean, events: readonly unknown[], cursor: string) {
  return untrustedJson('wait_for', { met, events, cursor });
}

async function head(signal: AbortSignal): Promise<string> {
  const status = await request('status', {}, signal);
  return formatCursor(status.epoch, status.head);
}

/** Of those sessions, or of any. */
async function isSo(until: Until, names: string | undefined, signal: AbortSignal) {
  const isWanted = (name: string | null) => names?.split(',').includes(name ?? '') ?? true;
  if (until === 'person_needed') {
    const { items } = await request('listAttention', { query: {} }, signal);
    return items.some(({ session }) => isWanted(session));
  }
  if (until !== 'loop_ended') return false;
  const { loops } = await request('listAuto', {}, signal);
  return !loops.some(({ session_name: name, status }) => !ENDED.includes(status) && isWanted(name));
}
