/** Metrics for Prometheus, at the path scrapers expect. */
import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

export const METRICS_MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export const METRICS_ENDPOINTS = {
  getMetrics: {
    method: 'GET',
    path: '/metrics',
    summary: 'Get metrics of the daemon in the Prometheus text format.',
    role: 'viewer',
    mediaType: METRICS_MEDIA_TYPE,
    responses: { 200: z.string() },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;
