/** What the model answers to one request of the client. */
import type { AgentGroup } from '../../shared/schema/agent-state.ts';

export type Reply =
  | { kind: 'text'; text: string; overMs?: number }
  /** `asks`: the client asks a person before it runs the tool. */
  | { kind: 'tool'; tool: string; input: object; asks: boolean }
  /** `leaves`: what the client is then; while it tries again, it works. */
  | { kind: 'error'; status: number; message: string; headers?: Headers; leaves: AgentGroup }
  /** The answer begins, then nothing follows. */
  | { kind: 'hang'; text: string };

type Headers = Record<string, string>;

export function say(text: string, overMs = 0): Reply {
  return { kind: 'text', text, overMs };
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

/** The limit of five hours of a plan, until then (seconds since 1970). */
export function usageLimit(resetsAt: number): Reply {
  const headers = {
    'anthropic-ratelimit-unified-status': 'rejected',
    'anthropic-ratelimit-unified-reset': String(resetsAt),
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    'anthropic-ratelimit-unified-fallback': 'unavailable',
    'anthropic-ratelimit-unified-5h-status': 'rejected',
    'anthropic-ratelimit-unified-5h-reset': String(resetsAt),
    'anthropic-ratelimit-unified-5h-utilization': '1.0',
    'anthropic-ratelimit-unified-overage-status': 'rejected',
    'anthropic-ratelimit-unified-overage-disabled-reason': 'org_level_disabled',
    'x-should-retry': 'false',
  };
  const message = 'This request would exceed the rate limit of your account.';
  return { kind: 'error', status: 429, message, headers, leaves: 'limited' };
}
