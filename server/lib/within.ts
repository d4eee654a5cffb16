import type { Clock } from './clock.ts';

/**
 * Waits for an answer no longer than `limitMs` on the clock. Null when none came in time or the
 * question failed. Never rejects; the question itself is not cancelled.
 */
export async function within<Answer>(
  clock: Clock,
  limitMs: number,
  question: Promise<Answer>,
): Promise<{ answer: Answer } | null> {
  return new Promise((resolve) => {
    const timer = clock.after(limitMs, () => resolve(null));
    const settle = (outcome: { answer: Answer } | null) => {
      timer.cancel();
      resolve(outcome);
    };
    question.then(
      (answer) => settle({ answer }),
      () => settle(null),
    );
  });
}
