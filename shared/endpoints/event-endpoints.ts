/** The event log: paged, by long poll, as a stream. */
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
    summary: 'List events after a cursor (long poll with `wait`), or backwards with `before`.',
    role: 'viewer',
    query: EventsQuery,
    responses: { 200: EventsPage },
    errors: [],
  },
  countEvents: {
    method: 'GET',
    path: '/api/events/counts',
    summary: 'Count events by type and session over time.',
    role: 'viewer',
    query: EventCountsQuery,
    responses: { 200: EventCounts },
    errors: [],
  },
  streamEvents: {
    method: 'GET',
    path: '/api/events/stream',
    summary: 'Stream events after a cursor as Server-Sent Events; id = epoch:seq.',
    role: 'viewer',
    query: EventStreamQuery,
    mediaType: 'text/event-stream',
    responses: { 200: z.string() },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;
