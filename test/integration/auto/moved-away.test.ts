/**
 * Programs that detach from their agent in every way the system offers end with its loop or its
 * session.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  isAlive,
  type ProcessIdentity,
  readProcess,
} from '../../../server/lib/processes/process-identity.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

/** How a program detaches from the agent that starts it; each writes its final pid. */
const WAYS: Record<string, string> = {
  'in the background': 'worker background &',
  'in a session of its own': 'setsid sh -c "$BODY" worker session &',
  'forked twice': '(setsid sh -c "$BODY" worker orphan &)',
  'in another directory': '(cd / && setsid sh -c "$BODY" worker elsewhere &)',
  'with an emptied environment':
    'env -i PATH="$PATH" HERE="$HERE" setsid sh -c "$BODY" worker bare &',
  'with the settings of the run':
    '(env -i PATH="$PATH" HERE="$HERE" setsid sh -c "$BODY" worker --settings "$FILE" &)',
};

const BODY = `trap "" TERM HUP INT; echo $$ > "$HERE/$$.pid"; while :; do sleep 0.2; done`;

/** An agent that starts one program in each way and ignores all signals but SIGKILL. */
const AGENT = `
HERE=$PWD; export HERE
BODY='${BODY}'
FILE=$(echo "$@" | sed -n 's/.*--settings \\([^ ]*\\).*/\\1/p')
worker() { sh -c "$BODY" worker "$@"; }
trap '' INT TERM HUP
${Object.values(WAYS).join('\n')}
while :; do sleep 0.1; done`;

const QUICK = { LOOPWATCH_STOP_GRACE_MS: '300', LOOPWATCH_KILL_GRACE_MS: '300' };

it('LP32 a loop that is ended by force leaves no program running, also none that moved elsewhere', async () => {
  await using world = new World(QUICK);
  const { api } = await world.start();
  using started = await startMoving(world, api);
  expect((await api.send('DELETE', '/api/sessions/web/task-auto')).status).toBe(202);
  expect((await api.event('auto.ended')).data).toMatchObject({ reason: 'user_stop' });
  expect(started.living()).toEqual([]);
  // The person's shell is not part of the loop.
  expect(await api.get('/api/sessions/web')).toMatchObject({ status: 200 });
});

it('LP52 programs a person started before the loop keep running', async () => {
  await using world = new World(QUICK);
  const { api } = await world.start();
  await api.openSession('web', world.taskDir('web'));
  const own = join(world.root, 'own.pid');
  const text = `(setsid sh -c 'echo $$ > ${own}; exec sleep 1000' &)`;
  await api.send('POST', '/api/sessions/web/input', { text, submit: true });
  const theirs = await until('the program of the person', () => identityIn(own));
  using started = await startMoving(world, api, false);
  await api.send('DELETE', '/api/sessions/web/task-auto');
  await api.event('auto.ended');
  expect(started.living()).toEqual([]);
  expect(isAlive(theirs)).toBe(true);
  await api.send('DELETE', '/api/sessions/web');
  expect(isAlive(theirs)).toBe(false);
});

it('SE17 a deleted session leaves no program running, also none that moved elsewhere', async () => {
  await using world = new World(QUICK);
  const { api } = await world.start();
  using started = await startMoving(world, api);
  expect((await api.send('DELETE', '/api/sessions/web')).status).toBe(202);
  await until('the last of them has ended', () => started.living().length === 0);
});

/** Starts the loop and waits until all its programs run. */
async function startMoving(world: World, api: ApiClient, open = true) {
  // One that accepts settings, as a client of that version does.
  world.writeClient('2.1.300 (Claude Code)', AGENT);
  const directory = world.taskDir('web');
  if (open) await api.openSession('web', directory);
  const answer = await api.startLoop('web', directory);
  expect(answer).toMatchObject({ status: 201 });
  const all = await until('every program runs', () => {
    const found = readdirSync(directory)
      .filter((name) => name.endsWith('.pid'))
      .map((name) => identityIn(join(directory, name)))
      .filter((each) => each !== null);
    return found.length === Object.keys(WAYS).length ? found : null;
  });
  return {
    living: () => all.filter(isAlive),
    [Symbol.dispose]: () => {
      for (const each of all) if (isAlive(each)) process.kill(each.pid, 'SIGKILL');
    },
  };
}

function identityIn(file: string): ProcessIdentity | null {
  try {
    const found = readProcess(Number(readFileSync(file, 'utf8')));
    return found === null ? null : { pid: found.pid, startedAt: found.startedAt };
  } catch {
    return null;
  }
}
