/** Loops of the stand-in, each in a different lasting state: at work, at its limit, stalled, failed. */
import type { ApiClient } from '../daemon/api-client.ts';
import { until } from '../house/until.ts';
import type { World } from '../daemon/world.ts';

const HOUR_MS = 3_600_000;
const CHECK = { step: 'check', result: 'PASS', next: 'exec' };
const STEP = { do: 'step', work_ms: 300, say: ['Looking at the parser'], signal: CHECK };
const LONG_STEP = { ...STEP, work_ms: HOUR_MS };

/** Starts a loop of that name on its own directory with these steps. */
export async function startSteps(
  world: World,
  api: ApiClient,
  name: string,
  steps: readonly object[],
): Promise<void> {
  const directory = world.taskDir(name, { status_record: true, after: 'exit', steps });
  await api.openSession(name, directory);
  const { status, body } = await api.startLoop(name, directory);
  if (status !== 201) throw new Error(`${name}: ${JSON.stringify(body)}`);
}

/** The client of a daemon with the four loops, named after their states. */
export async function startLoopsInTrouble(world: World): Promise<ApiClient> {
  const { environment } = world;
  // Stalls are found within a second; the daemon after this one leaves them alone.
  environment['LOOPWATCH_HEARTBEAT_MS'] = '400';
  environment['LOOPWATCH_STALL_CAPTURES'] = '2';
  const first = await world.start();
  await startSteps(world, first.api, 'stalled', [STEP, { do: 'silence', ms: HOUR_MS }]);
  await until('it stalls', async () => {
    return (await first.api.loop('stalled')).wait?.reason === 'stalled';
  });
  await first.daemon.close();
  environment['LOOPWATCH_HEARTBEAT_MS'] = String(HOUR_MS);
  const { api } = await world.start();
  await startSteps(world, api, 'failed', [STEP, { do: 'crash', code: 1 }]);
  await startSteps(world, api, 'quota', [STEP, { do: 'limit', ms: HOUR_MS }]);
  await startSteps(world, api, 'running', [STEP, LONG_STEP]);
  for (const [name, status] of Object.entries({ failed: 'failed', quota: 'quota_wait' })) {
    await until(`${name} is ${status}`, async () => (await api.loop(name)).status === status);
  }
  await until('a step', async () => (await api.loop('running')).iteration === 1);
  return api;
}
