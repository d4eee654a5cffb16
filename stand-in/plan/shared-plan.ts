/** What a loop in a terminal has to do with the plan of its home; nothing without one. */
import type { LimitStep, PauseStep } from '../interruptions.ts';
import { nowMs } from '../clock.ts';
import { clientHome } from '../headless/conversation-file.ts';
import type { Hooks } from '../run-hooks.ts';
import { type Plan, readPlan } from './plan.ts';
import { noteSpent } from './spent-file.ts';
import { appendMessage, type TokenCounts } from './transcript-file.ts';

interface Around {
  environment: NodeJS.ProcessEnv;
  hooks: Hooks;
}

interface Waits {
  waitOut: (step: LimitStep) => Promise<void>;
  pause: (step: PauseStep) => Promise<void>;
}

/** Resolves once a request may begin; until then the client shows why it may not. */
export async function untilAdmitted(
  { environment }: Around,
  { waitOut, pause }: Waits,
): Promise<void> {
  for (;;) {
    const refusal = readPlan(environment)?.refusal() ?? null;
    if (refusal === null) return;
    if (refusal.kind === 'login') {
      await pause({ do: 'pause', say: [], error: 'authentication_failed' });
    } else {
      const window = refusal.window === 'weekly' ? 'seven_day' : 'five_hour';
      const ms = Math.max(0, refusal.resetsAtMs - nowMs());
      await waitOut({ do: 'limit', ms, window, by_itself: true });
    }
  }
}

/** Into the transcript, and onto the status line. `beganMs`: wall time. */
export function spendInTerminal(
  tokens: TokenCounts,
  beganMs: number,
  { environment, hooks }: Around,
): void {
  const plan = readPlan(environment);
  if (plan === null) return;
  const home = clientHome(environment);
  const { conversation } = hooks;
  const atMs = nowMs();
  appendMessage(home, { conversation, entrypoint: 'cli', atMs, tokens });
  noteSpent(home, {
    began_ms: beganMs,
    at_ms: atMs,
    cwd: process.cwd(),
    conversation,
    reported: 'transcript',
    input_tokens: tokens.input,
    output_tokens: tokens.output,
    cache_read_tokens: tokens.cacheRead,
    cache_creation_tokens: tokens.cacheCreation,
  });
  showLevels(plan, hooks);
}

function showLevels(plan: Plan, hooks: Hooks): void {
  const limit = (name: 'five_hour' | 'weekly') => {
    const { usedPercent, resetsAtMs } = plan.level(name);
    return { used_percentage: usedPercent, resets_at: Math.ceil(resetsAtMs / 1000) };
  };
  hooks.showStatus({ rate_limits: { five_hour: limit('five_hour'), seven_day: limit('weekly') } });
}
