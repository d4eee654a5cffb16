import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiClient } from '../daemon/api-client.ts';
import { openShell } from './terminal-view.ts';
import { until } from '../house/until.ts';
import type { World } from '../daemon/world.ts';

/** Opens a session whose agent cannot be typed to, and sends it an input; returns the input. */
export async function holdInput(
  world: World,
  api: ApiClient,
): Promise<{ session: string; id: number }> {
  const session = 'mute';
  // A program with the name of an agent that shows nothing of one.
  copyFileSync('/bin/sleep', join(world.root, 'bin', 'gemini'));
  await openShell(api, session, world.taskDir(session));
  await api.send('POST', `/api/sessions/${session}/input`, { text: 'gemini 1000', submit: true });
  await until('the mute agent', async () => {
    const { body } = await api.get(`/api/sessions/${session}`);
    return body['agent'] !== null;
  });
  const path = `/api/sessions/${session}/input`;
  const { body } = await api.send('POST', path, { text: 'hello', submit: true });
  return { session, id: Number(body['id']) };
}
