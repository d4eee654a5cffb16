/** Questions that many ask at the same time about the same thing, asked once for all of them. */

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

/** All who ask for the same key while it is open share that question. */
export function sharedOpen<Key, Answer>(
  ask: (key: Key) => Promise<Answer>,
): (key: Key) => Promise<Answer> {
  const open = new Map<Key, Promise<Answer>>();
  return async (key) => {
    const asked = open.get(key);
    if (asked !== undefined) return asked;
    const answer = ask(key).finally(() => open.delete(key));
    open.set(key, answer);
    return answer;
  };
}
