/** The daemon itself: health, capabilities, status. */
import { z } from 'zod';
import { DaemonStatus } from '../schema/model.ts';
import type { Endpoint } from './endpoint.ts';

export const DAEMON_ENDPOINTS = {
  health: {
    method: 'GET',
    path: '/healthz',
    summary: 'Check that the daemon is up.',
    role: null,
    responses: { 200: z.object({ status: z.literal('ok'), version: z.string() }) },
    errors: [],
  },
  openapi: {
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'Get this API as an OpenAPI 3.1 document.',
    role: 'viewer',
    responses: { 200: z.record(z.string(), z.unknown()) },
    errors: [],
  },
  asyncapi: {
    method: 'GET',
    path: '/api/asyncapi.json',
    summary: 'Get the WebSocket protocol as an AsyncAPI 3.0 document.',
    role: 'viewer',
    responses: { 200: z.record(z.string(), z.unknown()) },
    errors: [],
  },
  status: {
    method: 'GET',
    path: '/api/status',
    summary: 'Get the status of the daemon: versions, event log and preflight checks.',
    role: 'viewer',
    copied: '',
    responses: { 200: DaemonStatus },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;
