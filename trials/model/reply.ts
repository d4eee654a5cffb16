/** What the model answers to one request of the client. */
import type { AgentGroup } from '../../shared/schema/agents/agent-state.ts';

export type Reply =
  | { kind: 'text'; text: string; overMs?: number }
  /** `asks`: the client asks a person before it runs the tool. */
  | { kind: 'tool'; tool: string; input: object; asks: boolean }
  /** `leaves`: what the client is then; while it tries again, it works. */
  | {
      kind: 'error';
      status: number;
      message: string;
      headers?: Headers;
      leaves: AgentGroup;
      /** Wall time in milliseconds from which that may be over; after it nothing is judged. */
      untilMs?: number;
    }
  /** The answer begins, then nothing follows. */
  | { kind: 'hang'; text: string };

type Headers = Record<string, string>;

export function say(text: string, overMs = 0): Reply {
  return { kind: 'text', text, overMs };
}

/** Longer than any kill takes to be judged. */
export const LONG_MS = 600_000;

/** An answer that does not end while something is judged. Clients draw it line by line: one in seconds. */
export function longAnswer(): Reply {
  return say('The agent writes a long answer word by word, as it does. '.repeat(300), LONG_MS);
}

/** The agent starts a subagent. */
export function delegate(): Reply {
  const input = {
    description: 'Look around',
    prompt: 'Look around.',
    subagent_type: 'general-purpose',
  };
  return { kind: 'tool', tool: 'Agent', input, asks: false };
}

/** `asks`: whether the client needs a permission for it. */
export function run(command: string, asks: boolean): Reply {
  const input = { command, description: 'Run a command of the trial' };
  return { kind: 'tool', tool: 'Bash', input, asks };
}

export function overloaded(): Reply {
  return { kind: 'error', status: 529, message: 'Overloaded', leaves: 'working' };
}

export function brokenServer(): Reply {
  return { kind: 'error', status: 500, message: 'Internal server error', leaves: 'working' };
}

/** Too many requests for so many seconds; no limit of the plan. */
export function tooFast(seconds = 2): Reply {
  const headers = { 'retry-after': String(seconds) };
  const message = 'Number of requests has exceeded your rate limit.';
  return { kind: 'error', status: 429, message, headers, leaves: 'working' };
}

/** The login is not valid, or no longer. */
export function refused(): Reply {
  return { kind: 'error', status: 401, message: 'Invalid bearer token', leaves: 'working' };
}

/** The answer begins, and nothing follows. */
export function hang(): Reply {
  return { kind: 'hang', text: 'I begin ' };
}

/** A limit of the plan, until then (seconds since 1970). */
export function usageLimit(
  resetsAt: number,
  window: 'five_hour' | 'seven_day' = 'five_hour',
): Reply {
  const [five, week] = window === 'five_hour' ? ['rejected', 'allowed'] : ['allowed', 'rejected'];
  const headers = {
    'anthropic-ratelimit-unified-status': 'rejected',
    'anthropic-ratelimit-unified-reset': String(resetsAt),
    'anthropic-ratelimit-unified-representative-claim': window,
    'anthropic-ratelimit-unified-fallback': 'unavailable',
    'anthropic-ratelimit-unified-5h-status': five,
    'anthropic-ratelimit-unified-5h-reset': String(resetsAt),
    'anthropic-ratelimit-unified-5h-utilization': five === 'rejected' ? '1.0' : '0.3',
    'anthropic-ratelimit-unified-7d-status': week,
    'anthropic-ratelimit-unified-7d-reset': String(resetsAt),
    'anthropic-ratelimit-unified-7d-utilization': week === 'rejected' ? '1.0' : '0.3',
    'anthropic-ratelimit-unified-overage-status': 'rejected',
    'anthropic-ratelimit-unified-overage-disabled-reason': 'org_level_disabled',
    'x-should-retry': 'false',
  };
  const message = 'This request would exceed the rate limit of your account.';
  const untilMs = resetsAt * 1_000;
  return { kind: 'error', status: 429, message, headers, leaves: 'limited', untilMs };
}
