/** Alerts: the rules, tests, and the delivery log. */
import { z } from 'zod';
import { AlertPreview } from '../schema/alert-targets.ts';
import {
  AlertDelivery,
  AlertDeliveryPage,
  AlertDeliveryQuery,
  AlertPage,
  AlertTestResult,
  ChangeAlert,
  CreateAlert,
  WrittenAlert,
} from '../schema/alerts.ts';
import type { Endpoint } from './endpoint.ts';

const IdParams = z.object({ id: z.string().regex(/^[0-9a-f]{20}$/) });

export const ALERT_ENDPOINTS = {
  listAlerts: {
    method: 'GET',
    path: '/api/alerts',
    summary: 'List alerts, oldest first, without secrets.',
    role: 'viewer',
    responses: { 200: AlertPage },
    errors: [],
  },
  createAlert: {
    method: 'POST',
    path: '/api/alerts',
    summary: 'Create an alert for events from now on; returns the secret of a webhook once.',
    role: 'admin',
    body: CreateAlert,
    responses: { 201: WrittenAlert },
    errors: [],
  },
  changeAlert: {
    method: 'PATCH',
    path: '/api/alerts/:id',
    summary: 'Update the given fields of an alert; a re-enabled alert starts with the next event.',
    role: 'admin',
    params: IdParams,
    unknown: 'alert_unknown',
    body: ChangeAlert,
    responses: { 200: WrittenAlert },
    errors: ['alert_unknown'],
  },
  deleteAlert: {
    method: 'DELETE',
    path: '/api/alerts/:id',
    summary: 'Delete an alert and its deliveries, sent or not.',
    role: 'admin',
    params: IdParams,
    unknown: 'alert_unknown',
    responses: { 200: z.object({ id: z.string() }) },
    errors: ['alert_unknown'],
  },
  testAlert: {
    method: 'POST',
    path: '/api/alerts/:id/test',
    summary: 'Send an `alert.test` immediately, ignoring quiet hours, and return the result.',
    role: 'admin',
    params: IdParams,
    unknown: 'alert_unknown',
    responses: { 200: AlertTestResult },
    errors: ['alert_unknown'],
  },
  previewAlert: {
    method: 'GET',
    path: '/api/alerts/:id/preview',
    summary: 'Get what the target would receive for the newest event of this alert; sends nothing.',
    role: 'admin',
    params: IdParams,
    unknown: 'alert_unknown',
    responses: { 200: AlertPreview },
    errors: ['alert_unknown'],
  },
  listAlertDeliveries: {
    method: 'GET',
    path: '/api/alerts/deliveries',
    summary: 'List deliveries (waiting, sent or dead), newest first.',
    role: 'viewer',
    query: AlertDeliveryQuery,
    responses: { 200: AlertDeliveryPage },
    errors: [],
  },
  retryAlertDelivery: {
    method: 'POST',
    path: '/api/alerts/deliveries/:id/retry',
    summary: 'Retry a dead delivery once.',
    role: 'admin',
    params: IdParams,
    unknown: 'alert_delivery_unknown',
    responses: { 200: AlertDelivery },
    errors: ['alert_delivery_unknown', 'alert_delivery_not_dead', 'alert_disabled'],
  },
} as const satisfies Record<string, Endpoint>;
