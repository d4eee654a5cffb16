/** What work used and cost. */
import { z } from 'zod';
import { UsageExportQuery, UsageNow, UsageQuery, UsageReport } from '../schema/usage/usage.ts';
import type { Endpoint } from './endpoint.ts';

export const USAGE_ENDPOINTS = {
  getUsage: {
    method: 'GET',
    path: '/api/usage',
    summary: 'Get tokens and cost by day, project, person, subject or model.',
    role: 'viewer',
    query: UsageQuery,
    responses: { 200: UsageReport },
    errors: [],
  },
  getUsageNow: {
    method: 'GET',
    path: '/api/usage/now',
    summary: 'Get the windows of the plan, and what each open session has used.',
    role: 'viewer',
    responses: { 200: UsageNow },
    errors: [],
  },
  exportUsage: {
    method: 'GET',
    path: '/api/usage/export',
    summary: 'Download every entry of the usage ledger as CSV or JSON lines.',
    role: 'viewer',
    query: UsageExportQuery,
    mediaType: 'text/csv',
    responses: { 200: z.string() },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;
