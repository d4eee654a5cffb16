/** What a turn may wait for besides its work and answers: the end of a usage limit, the next text. */
import { nowMs, pause } from './clock.ts';
import type { Hooks } from './run-hooks.ts';
import type { ScenarioStep } from './scenario.ts';
import type { Spinner } from './screen/spinner.ts';
import type { StatusRecord } from './files/status-record.ts';

export type LimitStep = Extract<ScenarioStep, { do: 'limit' }>;
export type PauseStep = Extract<ScenarioStep, { do: 'pause' }>;

const LIMIT_NAMES = { five_hour: '5-hour', seven_day: 'weekly' } as const;

const ERROR_LINES = {
  overloaded: 'API Error: 529 Overloaded. This is a server-side issue, usually temporary',
  server_error: 'API Error: 500 Internal server error',
  authentication_failed:
    'Please run /login · API Error: 401 OAuth token has expired. Please obtain a new token or refresh your existing token.',
  billing_error:
    '⎿  Credit balance too low · Add funds: https://platform.claude.com/settings/billing',
} as const;

interface Around {
  record: StatusRecord;
  spinner: Spinner;
  hooks: Hooks;
  say: (line: string) => void;
  /** The next text that a person or a supervisor types. */
  hear: (abort: AbortSignal) => Promise<string>;
}

/**
 * Waits as the client does at a usage limit: idle by its record, its status line with the exact
 * time; continues on its own afterwards.
 */
export async function waitOutLimit(
  step: LimitStep,
  { record, spinner, hooks, say, hear }: Around,
  abort: AbortSignal,
): Promise<void> {
  const resetMs = nowMs() + step.ms;
  const reset = timeOf(resetMs);
  const text =
    step.text ?? `You've hit your ${LIMIT_NAMES[step.window]} limit · resets ${reset} (UTC)`;
  if (step.by_itself) hooks.showStatus({ rate_limits: { [step.window]: fullUntil(resetMs) } });
  say(`⎿  ${text}`);
  hooks.fire('StopFailure', { error: 'rate_limit', last_assistant_message: text });
  spinner.pause(step.by_itself ? `Continuing automatically at ${reset}` : null);
  record.set('idle');
  try {
    if (!step.by_itself) {
      await hear(abort);
      return;
    }
    await pause(step.ms, abort);
    const message = 'Your limit has been reset; continuing';
    hooks.fire('Notification', { notification_type: 'quota_auto_resume_fired', message });
    say('My limit has been reset, so I continue where I was.');
  } finally {
    spinner.resume();
    record.set('busy');
  }
}

/** Stops as a client does whose turn is over, and continues with the next text. */
export async function pauseUntilPrompted(
  { say: lines, error }: PauseStep,
  { record, spinner, hooks, say, hear }: Around,
  abort: AbortSignal,
): Promise<void> {
  for (const line of lines) say(line);
  if (error !== undefined) say(ERROR_LINES[error]);
  spinner.pause(null);
  record.set('idle');
  if (error === undefined) hooks.fire('Stop', { stop_hook_active: false, background_tasks: [] });
  else hooks.fire('StopFailure', { error, last_assistant_message: ERROR_LINES[error] });
  try {
    const text = await hear(abort);
    hooks.fire('UserPromptSubmit', { prompt: text });
  } finally {
    spinner.resume();
    record.set('busy');
  }
}

function fullUntil(wallMs: number) {
  return { used_percentage: 100, resets_at: Math.ceil(wallMs / 1000) };
}

/** As the client writes it: `1:14pm`. */
function timeOf(wallMs: number): string {
  const date = new Date(wallMs);
  const hours = date.getUTCHours();
  const minutes = String(date.getUTCMinutes()).padStart(2, '0');
  return `${hours % 12 === 0 ? 12 : hours % 12}:${minutes}${hours < 12 ? 'am' : 'pm'}`;
}
