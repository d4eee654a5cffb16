/** What the night brought, and what the next one needs. */
import { UnitHistory, UnitHistoryQuery } from '../schema/events/history.ts';
import { Night, NightQuery } from '../schema/usage/night.ts';
import { Report, ReportQuery } from '../schema/usage/report.ts';
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
  getHistory: {
    method: 'GET',
    path: '/api/history',
    summary: 'List the units of work that were open in a time range, newest first, in pages.',
    role: 'viewer',
    query: UnitHistoryQuery,
    responses: { 200: UnitHistory },
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
