import type { ApiClient } from '../daemon/api-client.ts';
import { until } from '../house/until.ts';
import type { World } from '../daemon/world.ts';

/** Two rows up, two columns to the right. */
const INTO_THE_BOX = '\\033[2A\\033[2C';
/** A client at its prompt, with the cursor in its box, which never prints anything again. */
const AT_PROMPT = `printf '%s\\n❯ \\n%s\\n${INTO_THE_BOX}' ${'─'.repeat(40)} ${'─'.repeat(40)}; exec sleep 100000`;

/**
 * Starts a loop whose agent only waits, in a session of that name; returns a function that appends
 * one event per call: a change of the loop's limits.
 */
export async function startWaitingLoop(
  world: World,
  api: ApiClient,
  session = 'live',
): Promise<(times?: number) => Promise<void>> {
  world.writeProgram('claude', AT_PROMPT);
  const directory = world.taskDir(session);
  await api.openSession(session, directory);
  const started = await api.startLoop(session, directory);
  if (started.status !== 201) throw new Error(JSON.stringify(started));
  // From here on the log is quiet except for what is appended.
  await until('the agent at its prompt', async () => {
    const { body } = await api.get(`/api/sessions/${session}`);
    return (body['agent'] as { state: string } | null)?.state === 'ready';
  });
  let limit = 20;
  return async (times = 1) => {
    for (let n = 0; n < times; n += 1) {
      limit = limit === 999 ? 20 : limit + 1;
      const path = `/api/sessions/${session}/task-auto`;
      const { status, body } = await api.send('PATCH', path, { maxIterations: limit });
      if (status !== 200) throw new Error(JSON.stringify(body));
    }
  };
}
