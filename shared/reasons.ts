/** Why something waits, stopped, ended or failed: one closed union for REST, events, CLI and page. */
import { z } from 'zod';

export const Reason = z.enum([
  'completed',
  'blocked',
  'conflict',
  'cancelled',
  'user_stop',
  'timeout',
  'max_iterations',
  'stall_limit',
  'quota',
  'crashed',
  'restart_limit',
  'user_closed',
  'terminal_lost',
  'dir_gone',
  'session_unknown',
  'agent_not_started',
  'start_interrupted',
  'corrupt_record',
  'command_missing',
  'login_needed',
  'trust_needed',
  'question',
  'permission',
  'unknown_screen',
]);
export type Reason = z.infer<typeof Reason>;
