/** Auto loops: start, limits, stop, state, and the loop of a directory. */
import { z } from 'zod';
import { EventSeq } from '../../schema/events/event-seq.ts';
import { HistoryPage, HistoryQuery } from '../../schema/loops/past-loop.ts';
import { Loop } from '../../schema/model.ts';
import { SessionName } from '../../schema/session-name.ts';
import { ChangeLimits, RestartAuto, StartAuto, StartedLoop } from '../../schema/requests.ts';
import { SESSION_ERRORS, SessionParams } from '../sessions/session-params.ts';
import type { Endpoint } from '../endpoint.ts';

const START_ERRORS = [
  'unsafe_task_dir',
  'outside_roots',
  'session_unknown',
  'task_dir_missing',
  'session_busy',
  'task_dir_busy',
  'permissions_unavailable',
  'not_ready',
  'agent_not_started',
] as const;

const MAX_PATH = 1024;
const ABSOLUTE = /^\//;

const LookupQuery = z
  .strictObject({
    taskDir: z.string().min(1).max(MAX_PATH),
    /** What a relative `taskDir` is relative to. */
    project: z
      .string()
      .max(MAX_PATH)
      .regex(ABSOLUTE, { message: 'must be an absolute path' })
      .optional(),
  })
  .refine(({ taskDir, project }) => ABSOLUTE.test(taskDir) || project !== undefined, {
    path: ['taskDir'],
    message: 'must be an absolute path, or relative to a project',
  });

export const AUTO_ENDPOINTS = {
  startAuto: {
    method: 'POST',
    path: '/api/sessions/:id/task-auto',
    summary: 'Start an auto loop on a task directory in the session.',
    role: 'operator',
    params: SessionParams,
    body: StartAuto,
    responses: { 201: StartedLoop },
    errors: START_ERRORS,
  },
  restartAuto: {
    method: 'POST',
    path: '/api/sessions/:id/task-auto/restart',
    summary: 'Restart a failed loop, with the same limits and permissions unless others are given.',
    role: 'operator',
    params: SessionParams,
    body: RestartAuto,
    responses: { 201: StartedLoop },
    errors: [...START_ERRORS, 'no_loop'],
  },
  changeLimits: {
    method: 'PATCH',
    path: '/api/sessions/:id/task-auto',
    summary: 'Change the limits of a running loop.',
    role: 'operator',
    params: SessionParams,
    body: ChangeLimits,
    responses: { 200: Loop.extend({ seq: EventSeq }) },
    errors: [...SESSION_ERRORS, 'no_loop', 'loop_not_running'],
  },
  stopAuto: {
    method: 'DELETE',
    path: '/api/sessions/:id/task-auto',
    summary: 'Stop a loop; a failed loop is removed.',
    role: 'operator',
    params: SessionParams,
    responses: {
      200: z.object({ status: z.literal('stopped'), seq: EventSeq }),
      202: z.object({ status: z.literal('stopping'), seq: EventSeq }),
    },
    errors: [...SESSION_ERRORS, 'no_loop'],
  },
  getAuto: {
    method: 'GET',
    path: '/api/sessions/:id/task-auto',
    summary: 'Get the loop of a session; `stopped` with null fields if it has none.',
    role: 'viewer',
    params: SessionParams,
    responses: { 200: Loop },
    errors: SESSION_ERRORS,
  },
  listAuto: {
    method: 'GET',
    path: '/api/task-auto',
    summary: 'List loops.',
    role: 'viewer',
    copied: '',
    responses: { 200: z.object({ loops: z.array(Loop) }) },
    errors: [],
  },
  lookupAuto: {
    method: 'GET',
    path: '/api/task-auto/lookup',
    summary:
      'Find the session that runs the loop of a task directory, absolute or relative to `project`.',
    role: 'viewer',
    query: LookupQuery,
    responses: { 200: z.object({ session_name: SessionName, status: Loop.shape.status }) },
    errors: ['no_loop'],
  },
  listPastLoops: {
    method: 'GET',
    path: '/api/task-auto/history',
    summary:
      'List past and current loops, newest first, of one session or all, as far back as the log.',
    role: 'viewer',
    query: HistoryQuery,
    responses: { 200: HistoryPage },
    errors: [],
  },
  startDemo: {
    method: 'POST',
    path: '/api/demo',
    summary: 'Start a demo loop with the stand-in agent (no account, no cost).',
    role: 'operator',
    responses: { 201: StartedLoop },
    errors: [
      'task_dir_busy',
      'session_exists',
      'terminal_unavailable',
      'terminal_failed',
      'agent_not_started',
    ] as const,
  },
} as const satisfies Record<string, Endpoint>;
