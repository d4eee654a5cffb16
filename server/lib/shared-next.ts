/**
 * All who ask while one question is open share the next one, so that no answer is older than its
 * question, and however many ask, two questions are enough.
 */
export function sharedNext<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let open: Promise<unknown> = Promise.resolve();
  let next: Promise<Answer> | null = null;
  const askNext = async () => {
    await open.catch(() => undefined);
    const answer = ask();
    open = answer;
    next = null;
    return answer;
  };
  return async () => (next ??= askNext());
}
