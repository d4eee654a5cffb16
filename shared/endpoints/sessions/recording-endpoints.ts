/** The recording of a session: start, end, fetch. One per session; a new one replaces the old. */
import { z } from 'zod';
import { SessionName } from '../../schema/session-name.ts';
import { SESSION_ERRORS, SessionParams } from './session-params.ts';
import type { Endpoint } from '../endpoint.ts';

export const RecordingStatus = z.object({
  session: SessionName,
  state: z.enum(['recording', 'ended']),
  started_at: z.iso.datetime(),
  /** Written so far. */
  bytes: z.int(),
  /** Why it ended: on request, with its terminal, at a limit, or because of a write error. */
  ended: z.enum(['stopped', 'terminal_gone', 'size', 'time', 'failed']).nullable(),
});
export type RecordingStatus = z.infer<typeof RecordingStatus>;

const path = '/api/sessions/:id/recording';
const errors = [...SESSION_ERRORS, 'no_recording'] as const;

export const RECORDING_ENDPOINTS = {
  startRecording: {
    method: 'POST',
    path,
    summary: 'Start recording the terminal as asciicast v2, up to 16 MiB or one hour.',
    role: 'operator',
    params: SessionParams,
    responses: { 201: RecordingStatus },
    errors: [...SESSION_ERRORS, 'storage_full'],
  },
  getRecordingStatus: {
    method: 'GET',
    path: `${path}/status`,
    summary: 'Get the status of the recording.',
    role: 'viewer',
    params: SessionParams,
    responses: { 200: RecordingStatus },
    errors,
  },
  getRecording: {
    method: 'GET',
    path,
    summary: 'Download the recording as asciicast v2, as far as it is written.',
    role: 'viewer',
    params: SessionParams,
    mediaType: 'application/x-asciicast',
    responses: { 200: z.string() },
    errors,
  },
  stopRecording: {
    method: 'DELETE',
    path,
    summary: 'Stop the recording; it can still be downloaded.',
    role: 'operator',
    params: SessionParams,
    responses: { 200: RecordingStatus },
    errors,
  },
} as const satisfies Record<string, Endpoint>;
