/** Stored snapshots of a session: the list, and one of them. */
import { z } from 'zod';
import { PastScreen, ScreensPage, ScreensQuery } from '../../schema/past-screen.ts';
import { ActivityQuery, SessionActivity } from '../../schema/agents/session-activity.ts';
import { SESSION_ERRORS, SessionParams } from './session-params.ts';
import type { Endpoint } from '../endpoint.ts';

export const SCREEN_ENDPOINTS = {
  listScreens: {
    method: 'GET',
    path: '/api/sessions/:id/screens',
    summary: 'List the stored snapshots of a session, newest first; also for a closed session.',
    role: 'viewer',
    params: SessionParams,
    query: ScreensQuery,
    responses: { 200: ScreensPage },
    errors: SESSION_ERRORS,
  },
  getPastScreen: {
    method: 'GET',
    path: '/api/sessions/:id/screens/:at',
    summary: 'Get a snapshot by number, or the newest one at or before an ISO 8601 time.',
    role: 'viewer',
    params: SessionParams.extend({ at: z.string() }),
    responses: { 200: PastScreen },
    errors: [...SESSION_ERRORS, 'screen_unknown'],
  },
  getSessionActivity: {
    method: 'GET',
    path: '/api/sessions/:id/activity',
    summary: 'Get what the agent of a session does, from its client’s transcript, in pages.',
    role: 'operator',
    params: SessionParams,
    query: ActivityQuery,
    responses: { 200: SessionActivity },
    errors: SESSION_ERRORS,
  },
} as const satisfies Record<string, Endpoint>;
