/** What every MCP client may do: read. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { request } from '../client.ts';
import { readWhy } from '../commands/work/loop-history-commands.ts';
import { untrustedJson, untrustedText } from './untrusted-text.ts';

const MAX_EVENTS = 200;
/** Rows may hold colour codes and nothing else. */
// eslint-disable-next-line no-control-regex -- the escape that starts each code
const COLOURS = /\x1b\[[0-9:;]*m/g;

/** The name of a session, as the daemon lists it. */
export const Session = z.string().min(1).describe('Session name, as list_work gives it');

export const EventFilter = {
  types: z.string().optional().describe('Exact types or prefix.*, comma separated: auto.*'),
  session: z.string().optional().describe('Session names, comma separated'),
  subject: z.string().optional().describe('Subjects, comma separated: task:fix-login'),
};

const READ_ONLY = { annotations: { readOnlyHint: true, openWorldHint: false } };

export function addReadTools(server: McpServer): void {
  server.registerTool(
    'list_work',
    { description: 'List sessions, loops, tasks and runs, and what needs a person.', ...READ_ONLY },
    async ({ signal }) => {
      const [{ sessions }, { loops }, tasks, { runs }, { items }] = await Promise.all([
        request('listSessions', {}, signal),
        request('listAuto', {}, signal),
        request('listTasks', { query: {} }, signal),
        request('listRuns', { query: {} }, signal),
        request('listAttention', { query: {} }, signal),
      ]);
      return untrustedJson('list_work', { sessions, loops, tasks, runs, needs_person: items });
    },
  );
  server.registerTool(
    'daemon_status',
    { description: 'Show the daemon: version, start, what this machine lacks.', ...READ_ONLY },
    async ({ signal }) => untrustedJson('daemon_status', await request('status', {}, signal)),
  );
  server.registerTool(
    'why',
    {
      description: 'Explain what the loop of a session does or why it ended, with the evidence.',
      inputSchema: { session: Session },
      ...READ_ONLY,
    },
    async ({ session }) => untrustedJson('why', await readWhy(session)),
  );
  server.registerTool(
    'read_screen',
    {
      description: 'Read what the terminal of a session shows now, as text.',
      inputSchema: { session: Session },
      ...READ_ONLY,
    },
    async ({ session }, { signal }) => {
      const { lines } = await request('getScreen', { params: { id: session } }, signal);
      const rows = lines.map((line) => line.replaceAll(COLOURS, '').trimEnd());
      return untrustedText('read_screen', rows.join('\n'));
    },
  );
  server.registerTool(
    'list_events',
    {
      description: 'List events, newest first; `before` continues from the cursor of an answer.',
      inputSchema: {
        ...EventFilter,
        before: z.string().optional().describe('A cursor: epoch:seq'),
        limit: z.int().min(1).max(MAX_EVENTS).default(50),
      },
      ...READ_ONLY,
    },
    async ({ before, limit, ...filter }, { signal }) => {
      const newest = before ?? (await headAfter(signal));
      const query = { ...filter, before: newest, limit: String(limit) };
      return untrustedJson('list_events', await request('listEvents', { query }, signal));
    },
  );
}

/** A cursor behind the newest event. */
async function headAfter(signal: AbortSignal): Promise<string> {
  const { epoch, head } = await request('status', {}, signal);
  return `${epoch}:${head + 1}`;
}
