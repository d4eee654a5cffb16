/** Plays one turn of a client that is only talked to. */
import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { PersonStep } from './screen/ask-person.ts';
import { commitAll } from './files/commit-all.ts';
import type { LimitStep } from './interruptions.ts';
import type { TalkStep } from './scenario.ts';

/** Each commit changes it. */
const WORK_FILE = 'stand-in-work.md';

/** What a turn needs of the client that runs it. All reject with the abort error when it ends first. */
export interface TalkStage {
  /** Milliseconds each step works. */
  stepMs: number;
  say: (line: string) => void;
  ask: (step: PersonStep) => Promise<void>;
  waitOut: (step: LimitStep) => Promise<void>;
}

/** Rejects with the abort error when `abort` fires. */
export async function playTalk(
  steps: readonly TalkStep[],
  { stepMs, say, ask, waitOut }: TalkStage,
  abort: AbortSignal,
): Promise<void> {
  for (const step of steps) {
    await delay(stepMs, undefined, { signal: abort });
    switch (step.do) {
      case 'say':
        step.lines.forEach(say);
        break;
      case 'ask':
      case 'plan':
      case 'question':
        await ask(step);
        break;
      case 'limit':
        await waitOut(step);
        break;
      case 'commit':
        appendFileSync(WORK_FILE, `${step.message}\n`);
        commitAll(step.message);
        say(`Bash(git commit -m "${step.message}")\n⎿  1 file changed, 1 insertion(+)`);
    }
  }
}
