/** Sessions that were not started by Loopwatch: list and read. */
import { z } from 'zod';
import { BackgroundSessions } from '../../schema/agents/background.ts';
import { Continuation, ContinueFound } from '../../schema/agents/continuation.ts';
import { IgnoredDirectories, SetIgnored } from '../../schema/modules/ignored-directory.ts';
import { Session } from '../../schema/model.ts';
import { ActivityQuery, SessionActivity } from '../../schema/agents/session-activity.ts';
import { FoundId, FoundScreen, FoundSession, FoundSessions } from '../../schema/agents/found.ts';
import type { Endpoint } from '../endpoint.ts';

export const FOUND_ENDPOINTS = {
  listFound: {
    method: 'GET',
    path: '/api/found',
    summary: 'List agent sessions on this machine that Loopwatch did not start, oldest first.',
    role: 'viewer',
    copied: '',
    responses: { 200: FoundSessions },
    errors: [],
  },
  getFound: {
    method: 'GET',
    path: '/api/found/:id',
    summary: 'Get one of them.',
    role: 'viewer',
    params: z.object({ id: FoundId }),
    unknown: 'found_unknown',
    responses: { 200: FoundSession },
    errors: ['found_unknown'],
  },
  getFoundScreen: {
    method: 'GET',
    path: '/api/found/:id/screen',
    summary:
      'Get what its pane of the user’s tmux shows now, or what `claude logs` prints; read once, with nothing attached.',
    role: 'operator',
    params: z.object({ id: FoundId }),
    unknown: 'found_unknown',
    responses: { 200: FoundScreen },
    errors: ['found_unknown', 'screen_unavailable'],
  },
  getFoundActivity: {
    method: 'GET',
    path: '/api/found/:id/activity',
    summary: 'Get what it does, from its client’s transcript, in pages; of Claude Code only.',
    role: 'operator',
    params: z.object({ id: FoundId }),
    query: ActivityQuery,
    unknown: 'found_unknown',
    responses: { 200: SessionActivity },
    errors: ['found_unknown'],
  },
  listBackground: {
    method: 'GET',
    path: '/api/background',
    summary:
      'List the background sessions of the client that have ended, newest first, as `claude agents` lists them.',
    role: 'viewer',
    responses: { 200: BackgroundSessions },
    errors: [],
  },
  listIgnored: {
    method: 'GET',
    path: '/api/found-ignored',
    summary: 'List the directories whose found sessions are left alone.',
    role: 'operator',
    responses: { 200: IgnoredDirectories },
    errors: [],
  },
  setIgnored: {
    method: 'PUT',
    path: '/api/found-ignored',
    summary: 'Leave found sessions in and below a directory alone from now on, or show them again.',
    role: 'admin',
    body: SetIgnored,
    responses: { 200: IgnoredDirectories },
    errors: [],
  },
  getContinuation: {
    method: 'GET',
    path: '/api/found/:id/continue',
    summary:
      'Get whether it can be continued in a session of Loopwatch, and why not; also of one that has ended. `id` may be its pid, or that of a background session.',
    role: 'operator',
    params: z.object({ id: FoundId }),
    unknown: 'found_unknown',
    responses: { 200: Continuation },
    errors: ['found_unknown'],
  },
  continueFound: {
    method: 'POST',
    path: '/api/found/:id/continue',
    summary: 'Continue it in a new session of Loopwatch, or attach to it in the background.',
    role: 'operator',
    params: z.object({ id: FoundId }),
    unknown: 'found_unknown',
    body: ContinueFound,
    responses: { 201: Session },
    errors: [
      'found_unknown',
      'not_continuable',
      'session_exists',
      'cwd_missing',
      'outside_roots',
      'terminal_unavailable',
      'terminal_failed',
      'not_ready',
      'agent_not_started',
    ],
  },
} as const satisfies Record<string, Endpoint>;
