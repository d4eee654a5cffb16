/**
 * A plan with limits that all clients of one home share, for the stand-in: its windows fill with
 * what the clients spend, and its login ends. It is a file that a test writes; without one nothing
 * is spent, and nothing is refused.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { nowMs } from '../clock.ts';
import { clientHome } from '../headless/conversation-file.ts';
import { readSpent } from './spent-file.ts';

const PLAN_FILE = 'stand-in-plan.json';

const Window = z.strictObject({
  /** Output tokens that fill it. */
  capacity: z.int().min(1),
  /** Of it, by others before the first reset. */
  used_before: z.int().min(0).default(0),
  /** Wall times in milliseconds at which it is empty again, in order; the last one is to come. */
  resets_ms: z.array(z.number()).min(1),
});

const PlanFile = z.strictObject({
  five_hour: Window,
  weekly: Window,
  /** Wall times in milliseconds at which the login ends and a person logs in again, in turn. */
  login_ms: z.array(z.number()).default([]),
});
type PlanFile = z.infer<typeof PlanFile>;

/** Why a request of a client is refused; all times are wall time in milliseconds. */
export type Refusal = { kind: 'limit'; window: PlanWindow; resetsAtMs: number } | { kind: 'login' };
export type PlanWindow = 'five_hour' | 'weekly';

export interface WindowLevel {
  usedPercent: number;
  resetsAtMs: number;
}

/** Null without a plan; throws for one that is not valid. */
export function readPlan(environment: NodeJS.ProcessEnv): Plan | null {
  const home = clientHome(environment);
  let text: string;
  try {
    text = readFileSync(path.join(home, PLAN_FILE), 'utf8');
  } catch {
    return null;
  }
  return new Plan(home, PlanFile.parse(JSON.parse(text)));
}

export class Plan {
  readonly #home: string;
  readonly #file: PlanFile;

  constructor(home: string, file: PlanFile) {
    this.#home = home;
    this.#file = file;
  }

  /** Null: a request would be answered now. */
  refusal(): Refusal | null {
    const now = nowMs();
    const changes = this.#file.login_ms.filter((atMs) => atMs <= now).length;
    if (changes % 2 === 1) return { kind: 'login' };
    // The longer wait is the one that counts.
    for (const window of ['weekly', 'five_hour'] as const) {
      const { usedPercent, resetsAtMs } = this.level(window);
      if (usedPercent >= 100) return { kind: 'limit', window, resetsAtMs };
    }
    return null;
  }

  /** Of the window that is open now. */
  level(name: PlanWindow): WindowLevel {
    const { capacity, used_before: before, resets_ms: resets } = this.#file[name];
    const now = nowMs();
    const sinceMs = resets.filter((atMs) => atMs <= now).at(-1) ?? 0;
    const resetsAtMs = resets.find((atMs) => atMs > now) ?? now + 5 * 3_600_000;
    const used = readSpent(this.#home)
      .filter(({ at_ms: atMs }) => atMs >= sinceMs)
      .reduce((sum, { output_tokens: output }) => sum + output, sinceMs === 0 ? before : 0);
    return { usedPercent: Math.min(100, (used / capacity) * 100), resetsAtMs };
  }
}
