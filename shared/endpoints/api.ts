/**
 * The REST contract as one table: method, path, role, schemas, error codes. The server mounts its
 * routes from it, the OpenAPI document is generated from it, and clients take their types from it.
 */
import { ALERT_ENDPOINTS } from './people/alert-endpoints.ts';
import { ATTENTION_ENDPOINTS } from './people/attention-endpoints.ts';
import { AUTO_ENDPOINTS } from './work/auto-endpoints.ts';
import { CLIENT_HOOKS_ENDPOINTS } from './sessions/client-hooks-endpoints.ts';
import { CLIENT_VERSION_ENDPOINTS } from './sessions/client-version-endpoints.ts';
import { DAEMON_ENDPOINTS } from './daemon-endpoints.ts';
import { BUDGET_ENDPOINTS } from './budget-endpoints.ts';
import { QUESTION_ENDPOINTS } from './people/question-endpoints.ts';
import { RESERVE_ENDPOINTS } from './reserve-endpoints.ts';
import { DIRECTORY_ENDPOINTS } from './sessions/directory-endpoints.ts';
import { EVENT_ENDPOINTS } from './event-endpoints.ts';
import { FLEET_ENDPOINTS } from './fleet-endpoints.ts';
import { FOUND_ENDPOINTS } from './sessions/found-endpoints.ts';
import { HOOK_ENDPOINTS } from './sessions/hook-endpoints.ts';
import { METRICS_ENDPOINTS } from './metrics-endpoints.ts';
import { MODULE_ENDPOINTS } from './work/module-endpoints.ts';
import { PEOPLE_ENDPOINTS } from './people/people-endpoints.ts';
import { PUSH_ENDPOINTS } from './people/push-endpoints.ts';
import { REPORT_ENDPOINTS } from './report-endpoints.ts';
import { RECORDING_ENDPOINTS } from './sessions/recording-endpoints.ts';
import { RESPAWN_ENDPOINTS } from './work/respawn-endpoints.ts';
import { RUN_ENDPOINTS } from './work/run-endpoints.ts';
import { RUN_WORK_ENDPOINTS } from './work/run-work-endpoints.ts';
import { SCREEN_ENDPOINTS } from './sessions/screen-endpoints.ts';
import { PROJECT_ENDPOINTS } from './work/project-endpoints.ts';
import { PROJECT_SETUP_ENDPOINTS } from './work/project-setup-endpoints.ts';
import { PROMPT_ENDPOINTS } from './work/prompt-endpoints.ts';
import { SESSION_ENDPOINTS } from './sessions/session-endpoints.ts';
import { TASK_ENDPOINTS } from './work/task-endpoints.ts';
import { TASK_TALK_ENDPOINTS } from './work/task-conversation-endpoints.ts';
import { TASK_WORK_ENDPOINTS } from './work/task-work-endpoints.ts';
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
