/** Asks a model whether the criteria of a task are met: without tools, in an empty place. */
import { join } from 'node:path';
import { askModel } from '../../agents/headless/ask-model.ts';
import { randomId } from '../../lib/random-id.ts';
import { isMet, readVerdict } from '../criteria/read-verdict.ts';
import { verdictPrompt } from '../criteria/verdict-prompt.ts';
import type { TaskHappening } from '../machine/task-state.ts';
import type { EffectOptions } from '../executor/task-effects.ts';

/** What the agent said last, as far as it is judged. */
const REPLIES = 3;
/** Beside the directories of turns. */
export const CHECKS = 'checks';

export class CriteriaCheck {
  readonly #options: EffectOptions;

  constructor(options: EffectOptions) {
    this.#options = options;
  }

  /** Gives the verdict; none when nobody gave one that can be read. */
  async judge(signal: AbortSignal): Promise<TaskHappening> {
    const { conversations, interactions, record, scratch, clock } = this.#options;
    const { id, plan } = record();
    const prompt = verdictPrompt({
      ...{ description: plan.description, criteria: plan.criteria.criteria ?? '' },
      ...{ replies: interactions.lastReplies(id, REPLIES), nonce: randomId() },
    });
    const scratchDirectory = join(scratch, CHECKS);
    const answer = await askModel({ conversations, clock, scratchDirectory }, prompt, signal);
    const usage = {
      outputTokens: answer.usage?.outputTokens ?? 0,
      costUsd: answer.costUsd ?? 0,
    };
    const read = answer.ok ? readVerdict(answer.text) : null;
    if (read === null) return { kind: 'judged', verdict: null, usage };
    const { confidence, reasoning } = read;
    return { kind: 'judged', verdict: { isMet: isMet(read), confidence, reasoning }, usage };
  }
}
