/** What a supervised agent reports through its hooks. */
import { z } from 'zod';
import type { Endpoint } from '../endpoint.ts';

/** Large, because hooks include the text of prompts, plans and files to write. */
const MAX_HOOK_BYTES = 1024 * 1024;

export const HOOK_ENDPOINTS = {
  receiveHook: {
    method: 'POST',
    path: '/api/hooks',
    summary:
      'Receive a hook of a supervised agent, authorized by its run’s capability; may block for an answer.',
    role: 'run',
    maxBytes: MAX_HOOK_BYTES,
    /** As the client sends it: every version adds its own keys. */
    body: z.looseObject({ hook_event_name: z.string().min(1).max(64) }),
    /** What the hook should print; empty when there is nothing to decide. */
    responses: { 200: z.record(z.string(), z.unknown()) },
    errors: ['hooks_busy', 'shutting_down'],
  },
} as const satisfies Record<string, Endpoint>;
