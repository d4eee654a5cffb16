/**
 * The REST contract as one table: method, path, role, schemas, error codes. The server mounts its
 * routes from it, the OpenAPI document is generated from it, and clients take their types from it.
 */
import { ALERT_ENDPOINTS } from './alert-endpoints.ts';
import { ATTENTION_ENDPOINTS } from './attention-endpoints.ts';
import { AUTO_ENDPOINTS } from './auto-endpoints.ts';
import { CLIENT_HOOKS_ENDPOINTS } from './client-hooks-endpoints.ts';
import { CLIENT_VERSION_ENDPOINTS } from './client-version-endpoints.ts';
import { DAEMON_ENDPOINTS } from './daemon-endpoints.ts';
import { BUDGET_ENDPOINTS } from './budget-endpoints.ts';
import { QUESTION_ENDPOINTS } from './question-endpoints.ts';
import { RESERVE_ENDPOINTS } from './reserve-endpoints.ts';
import { DIRECTORY_ENDPOINTS } from './directory-endpoints.ts';
import { EVENT_ENDPOINTS } from './event-endpoints.ts';
import { FLEET_ENDPOINTS } from './fleet-endpoints.ts';
import { FOUND_ENDPOINTS } from './found-endpoints.ts';
import { HOOK_ENDPOINTS } from './hook-endpoints.ts';
import { METRICS_ENDPOINTS } from './metrics-endpoints.ts';
import { MODULE_ENDPOINTS } from './module-endpoints.ts';
import { PEOPLE_ENDPOINTS } from './people-endpoints.ts';
import { PUSH_ENDPOINTS } from './push-endpoints.ts';
import { REPORT_ENDPOINTS } from './report-endpoints.ts';
import { RECORDING_ENDPOINTS } from './recording-endpoints.ts';
import { RESPAWN_ENDPOINTS } from './respawn-endpoints.ts';
import { RUN_ENDPOINTS } from './run-endpoints.ts';
import { RUN_WORK_ENDPOINTS } from './run-work-endpoints.ts';
import { SCREEN_ENDPOINTS } from './screen-endpoints.ts';
import { PROJECT_ENDPOINTS } from './project-endpoints.ts';
import { PROJECT_SETUP_ENDPOINTS } from './project-setup-endpoints.ts';
import { PROMPT_ENDPOINTS } from './prompt-endpoints.ts';
import { SESSION_ENDPOINTS } from './session-endpoints.ts';
import { TASK_ENDPOINTS } from './task-endpoints.ts';
import { TASK_TALK_ENDPOINTS } from './task-conversation-endpoints.ts';
import { TASK_WORK_ENDPOINTS } from './task-work-endpoints.ts';
import { USAGE_ENDPOINTS } from './usage-endpoints.ts';

export const API = {
  ...DAEMON_ENDPOINTS,
  ...METRICS_ENDPOINTS,
  ...FLEET_ENDPOINTS,
  ...PEOPLE_ENDPOINTS,
  ...SESSION_ENDPOINTS,
  ...FOUND_ENDPOINTS,
  ...CLIENT_HOOKS_ENDPOINTS,
  ...CLIENT_VERSION_ENDPOINTS,
  ...SCREEN_ENDPOINTS,
  ...RECORDING_ENDPOINTS,
  ...AUTO_ENDPOINTS,
  ...RESPAWN_ENDPOINTS,
  ...RUN_ENDPOINTS,
  ...RUN_WORK_ENDPOINTS,
  ...TASK_ENDPOINTS,
  ...TASK_WORK_ENDPOINTS,
  ...TASK_TALK_ENDPOINTS,
  ...PROMPT_ENDPOINTS,
  ...PROJECT_ENDPOINTS,
  ...PROJECT_SETUP_ENDPOINTS,
  ...DIRECTORY_ENDPOINTS,
  ...MODULE_ENDPOINTS,
  ...ATTENTION_ENDPOINTS,
  ...ALERT_ENDPOINTS,
  ...PUSH_ENDPOINTS,
  ...USAGE_ENDPOINTS,
  ...BUDGET_ENDPOINTS,
  ...REPORT_ENDPOINTS,
  ...RESERVE_ENDPOINTS,
  ...QUESTION_ENDPOINTS,
  ...EVENT_ENDPOINTS,
  ...HOOK_ENDPOINTS,
} as const;

export type ApiName = keyof typeof API;
