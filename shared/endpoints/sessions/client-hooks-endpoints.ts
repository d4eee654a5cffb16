/** Hooks in the user's own settings of the client, by which found sessions are answered here. */
import { ChangeClientHooks, ClientHooks } from '../../schema/agents/client-hooks.ts';
import type { Endpoint } from '../endpoint.ts';

export const CLIENT_HOOKS_ENDPOINTS = {
  getClientHooks: {
    method: 'GET',
    path: '/api/client-hooks',
    summary:
      'Get whether the client’s own settings relay permissions and questions of all sessions, and the exact change that installs or removes this.',
    role: 'admin',
    responses: { 200: ClientHooks },
    errors: [],
  },
  changeClientHooks: {
    method: 'POST',
    path: '/api/client-hooks',
    summary: 'Install the hooks in the client’s own settings, or remove them again.',
    role: 'admin',
    body: ChangeClientHooks,
    responses: { 200: ClientHooks },
    errors: ['settings_refused', 'settings_changed'],
  },
} as const satisfies Record<string, Endpoint>;
