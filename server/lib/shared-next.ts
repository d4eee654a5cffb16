/**
 * Callers that arrive while one call is open share the next one: no answer is older than its
 * question, and two calls serve any number of callers.
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
