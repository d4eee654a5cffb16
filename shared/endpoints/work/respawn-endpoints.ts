/** Respawn: what keeps a session going, its configuration, and who starts and stops it. */
import { z } from 'zod';
import { EventSeq } from '../../schema/events/event-seq.ts';
import {
  RespawnCheck,
  RespawnConfig,
  RespawnConfigChange,
  RespawnStart,
  RespawnView,
} from '../../schema/loops/respawn.ts';
import { SESSION_ERRORS, SessionParams } from '../sessions/session-params.ts';
import type { Endpoint } from '../endpoint.ts';

const Changed = RespawnView.extend({ seq: EventSeq });
const RUNNING_ERRORS = [...SESSION_ERRORS, 'respawn_not_running'] as const;

export const RESPAWN_ENDPOINTS = {
  listRespawn: {
    method: 'GET',
    path: '/api/respawn',
    summary: 'List sessions with respawn, running or not.',
    role: 'viewer',
    copied: '',
    responses: { 200: z.object({ respawns: z.array(RespawnView) }) },
    errors: [],
  },
  getRespawn: {
    method: 'GET',
    path: '/api/sessions/:id/respawn',
    summary: 'Get the respawn of a session; `stopped` with 0 runs if it was never started.',
    role: 'viewer',
    params: SessionParams,
    responses: { 200: RespawnView },
    errors: SESSION_ERRORS,
  },
  getRespawnConfig: {
    method: 'GET',
    path: '/api/sessions/:id/respawn/config',
    summary: 'Get the configuration of respawn in a session.',
    role: 'viewer',
    params: SessionParams,
    responses: { 200: RespawnConfig },
    errors: SESSION_ERRORS,
  },
  changeRespawnConfig: {
    method: 'PUT',
    path: '/api/sessions/:id/respawn/config',
    summary: 'Change the configuration of respawn; keys that are left out stay as they are.',
    role: 'operator',
    params: SessionParams,
    body: RespawnConfigChange,
    responses: { 200: RespawnConfig },
    errors: SESSION_ERRORS,
  },
  startRespawn: {
    method: 'POST',
    path: '/api/sessions/:id/respawn/start',
    summary: 'Start respawn in a session that nothing else supervises.',
    role: 'operator',
    params: SessionParams,
    body: RespawnStart,
    responses: { 201: Changed },
    errors: [...SESSION_ERRORS, 'session_busy'],
  },
  stopRespawn: {
    method: 'POST',
    path: '/api/sessions/:id/respawn/stop',
    summary: 'Stop respawn; it stays stopped until it is started again.',
    role: 'operator',
    params: SessionParams,
    responses: { 200: Changed },
    errors: RUNNING_ERRORS,
  },
  pauseRespawn: {
    method: 'POST',
    path: '/api/sessions/:id/respawn/pause',
    summary: 'Pause respawn: nothing is sent, and its timers keep what is left.',
    role: 'operator',
    params: SessionParams,
    responses: { 200: Changed },
    errors: RUNNING_ERRORS,
  },
  resumeRespawn: {
    method: 'POST',
    path: '/api/sessions/:id/respawn/resume',
    summary: 'Resume respawn after a pause.',
    role: 'operator',
    params: SessionParams,
    responses: { 200: Changed },
    errors: RUNNING_ERRORS,
  },
  enableRespawnCheck: {
    method: 'POST',
    path: '/api/sessions/:id/respawn/checks',
    summary: 'Turn a check on again that was switched off after three errors.',
    role: 'operator',
    params: SessionParams,
    body: z.strictObject({ check: RespawnCheck }),
    responses: { 200: Changed },
    errors: RUNNING_ERRORS,
  },
} as const satisfies Record<string, Endpoint>;
