/** Versions of the agent's client, and which of them may be typed into. */
import {
  ClientVersions,
  SetClientTrust,
  TestedClient,
} from '../../schema/agents/client-versions.ts';
import type { Endpoint } from '../endpoint.ts';

export const CLIENT_VERSION_ENDPOINTS = {
  listClientVersions: {
    method: 'GET',
    path: '/api/client-versions',
    summary: 'List the versions of Claude Code in use, and which of them are typed into.',
    role: 'viewer',
    responses: { 200: ClientVersions },
    errors: [],
  },
  setClientTrust: {
    method: 'PUT',
    path: '/api/client-versions',
    summary: 'Trust a version of Claude Code that is newer than tested, or trust it no longer.',
    role: 'operator',
    body: SetClientTrust,
    responses: { 200: ClientVersions },
    errors: [],
  },
  testClient: {
    method: 'POST',
    path: '/api/client-versions/test',
    summary:
      'Start the installed client in a scratch directory, without an account, and say what is read right.',
    role: 'operator',
    responses: { 200: TestedClient },
    errors: ['terminal_failed'],
  },
} as const satisfies Record<string, Endpoint>;
