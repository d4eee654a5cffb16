/** The event log: paged, as a long poll, as a stream. */
import { z } from 'zod';
import {
  EventCounts,
  EventCountsQuery,
  EventsPage,
  EventsQuery,
  EventStreamQuery,
} from '../schema/requests.ts';
import type { Endpoint } from './endpoint.ts';

export const EVENT_ENDPOINTS = {
  listEvents: {
    method: 'GET',
    path: '/api/events',
    summary: 'Events after a cursor, with `wait` a long poll; or, with `before`, backwards.',
    role: 'viewer',
    query: EventsQuery,
    responses: { 200: EventsPage },
    errors: [],
  },
  countEvents: {
    method: 'GET',
    path: '/api/events/counts',
    summary: 'How many events there were of each type in each session, step by step.',
    role: 'viewer',
    query: EventCountsQuery,
    responses: { 200: EventCounts },
    errors: [],
  },
  streamEvents: {
    method: 'GET',
    path: '/api/events/stream',
    summary: 'Events after a cursor as Server-Sent Events; id = epoch:seq.',
    role: 'viewer',
    query: EventStreamQuery,
    mediaType: 'text/event-stream',
    responses: { 200: z.string() },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;
