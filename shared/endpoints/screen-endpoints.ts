/** Screens as they were: which pictures of a session are kept, and one of them. */
import { z } from 'zod';
import { PastScreen, ScreensPage, ScreensQuery } from '../schema/past-screen.ts';
import { SESSION_ERRORS, SessionParams } from './session-params.ts';
import type { Endpoint } from './endpoint.ts';

export const SCREEN_ENDPOINTS = {
  listScreens: {
    method: 'GET',
    path: '/api/sessions/:id/screens',
    summary: 'Which pictures of the terminal are kept, newest first; also of a closed session.',
    role: 'viewer',
    params: SessionParams,
    query: ScreensQuery,
    responses: { 200: ScreensPage },
    errors: SESSION_ERRORS,
  },
  getPastScreen: {
    method: 'GET',
    path: '/api/sessions/:id/screens/:at',
    summary: 'One picture: by its number, or the newest one taken up to a time in ISO 8601.',
    role: 'viewer',
    params: SessionParams.extend({ at: z.string() }),
    responses: { 200: PastScreen },
    errors: [...SESSION_ERRORS, 'screen_unknown'],
  },
} as const satisfies Record<string, Endpoint>;
