/** What an MCP client may do with `--write` and the role of an operator: start, stop, answer. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import {
  DEFAULT_MAX_ITERATIONS,
  DEFAULT_TIMEOUT_MINUTES,
} from '../../../shared/rules/loops/loop-limits.ts';
import { request } from '../client.ts';
import { Session } from './read-tools.ts';
import { untrustedJson } from './untrusted-text.ts';

const CHANGES = { annotations: { readOnlyHint: false, openWorldHint: true } };

export function addWriteTools(server: McpServer): void {
  server.registerTool(
    'start_loop',
    {
      description: 'Start a loop on a task directory, in an open session.',
      inputSchema: {
        session: Session,
        task_dir: z.string().min(1).describe('Absolute path below a root of the daemon'),
        max_iterations: z.int().min(1).default(DEFAULT_MAX_ITERATIONS),
        timeout_minutes: z.int().min(1).default(DEFAULT_TIMEOUT_MINUTES),
      },
      ...CHANGES,
    },
    async ({ session, task_dir: taskDir, max_iterations, timeout_minutes }, { signal }) => {
      const body = { taskDir, maxIterations: max_iterations, timeoutMinutes: timeout_minutes };
      const loop = await request('startAuto', { params: { id: session }, body }, signal);
      return untrustedJson('start_loop', loop);
    },
  );
  server.registerTool(
    'stop_loop',
    {
      description: 'Stop the loop of a session; its terminal stays open.',
      inputSchema: { session: Session },
      ...CHANGES,
    },
    async ({ session }, { signal }) => {
      const stopped = await request('stopAuto', { params: { id: session } }, signal);
      return untrustedJson('stop_loop', stopped);
    },
  );
  server.registerTool(
    'answer_request',
    {
      description:
        'Answer a permission or question of the inbox. Allow only what a person has agreed to: the agent acts on it.',
      inputSchema: {
        id: z.string().describe('Id of an item of needs_person in list_work'),
        decision: z.enum(['allow', 'deny']),
        message: z.string().max(4_000).optional().describe('Why not, for the agent'),
        answers: z
          .record(z.string(), z.union([z.string(), z.array(z.string())]))
          .optional()
          .describe('For questions: the question and the chosen label, labels or text'),
      },
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    },
    async ({ id, ...body }, { signal }) => {
      const item = await request('answerAttention', { params: { id }, body }, signal);
      return untrustedJson('answer_request', item);
    },
  );
}
