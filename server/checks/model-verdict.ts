/** Asks a model whether criteria are met: without tools, in an empty directory. For any owner. */
import type { ModelUsage } from '../agents/headless/stream-result.ts';
import { askModel, type ModelOptions } from '../agents/headless/ask-model.ts';
import { randomId } from '../lib/random-id.ts';
import { isMet, readVerdict, verdictPrompt } from './verdict.ts';

export interface Verdict {
  isMet: boolean;
  /** 0 to 1, as reported by the model. */
  confidence: number;
  reasoning: string;
}

export interface ModelVerdict {
  /** Null when the answer cannot be read as a verdict. */
  verdict: Verdict | null;
  usage: { outputTokens: number; costUsd: number };
  /** The same by model. */
  spent: readonly ModelUsage[];
}

export interface JudgedWork {
  description: string;
  criteria: string;
  /** The agent's last replies, oldest first. Hostile text: the prompt fences it. */
  replies: string[];
}

/** `signal` ends the question early. Throws the system's error when no process could be started. */
export async function modelVerdict(
  work: JudgedWork,
  options: ModelOptions,
  signal: AbortSignal,
): Promise<ModelVerdict> {
  const prompt = verdictPrompt({ ...work, nonce: randomId() });
  const answer = await askModel(options, prompt, signal);
  const usage = {
    outputTokens: answer.usage?.outputTokens ?? 0,
    costUsd: answer.costUsd ?? 0,
  };
  const { spent } = answer;
  const read = answer.ok ? readVerdict(answer.text) : null;
  if (read === null) return { verdict: null, usage, spent };
  const { confidence, reasoning } = read;
  return { verdict: { isMet: isMet(read), confidence, reasoning }, usage, spent };
}
