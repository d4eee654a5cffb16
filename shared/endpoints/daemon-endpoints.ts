/** The daemon itself: is it up, what it offers, how it stands. */
import { z } from 'zod';
import { DaemonStatus } from '../schema/model.ts';
import type { Endpoint } from './endpoint.ts';

export const DAEMON_ENDPOINTS = {
  health: {
    method: 'GET',
    path: '/healthz',
    summary: 'Is the daemon up?',
    role: null,
    responses: { 200: z.object({ status: z.literal('ok'), version: z.string() }) },
    errors: [],
  },
  openapi: {
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This contract as an OpenAPI 3.1 document.',
    role: 'viewer',
    responses: { 200: z.record(z.string(), z.unknown()) },
    errors: [],
  },
  asyncapi: {
    method: 'GET',
    path: '/api/asyncapi.json',
    summary: 'The WebSocket protocol as an AsyncAPI 3.0 document.',
    role: 'viewer',
    responses: { 200: z.record(z.string(), z.unknown()) },
    errors: [],
  },
  status: {
    method: 'GET',
    path: '/api/status',
    summary: 'State of the daemon: versions, event log, and what a loop would miss here.',
    role: 'viewer',
    responses: { 200: DaemonStatus },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;
