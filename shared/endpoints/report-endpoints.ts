/** What the night brought, and what the next one needs. */
import { Night, NightQuery } from '../schema/night.ts';
import { Report, ReportQuery } from '../schema/report.ts';
import type { Endpoint } from './endpoint.ts';

export const REPORT_ENDPOINTS = {
  getReport: {
    method: 'GET',
    path: '/api/report',
    summary: 'Get every unit of work that was open in an interval, and what needs a person now.',
    role: 'viewer',
    query: ReportQuery,
    responses: { 200: Report },
    errors: [],
  },
  getNight: {
    method: 'GET',
    path: '/api/night',
    summary: 'Check what the night needs, and when something will probably go wrong.',
    role: 'viewer',
    query: NightQuery,
    responses: { 200: Night },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;
