/** The scripts of `examples/`, run unchanged against a real daemon. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { EventRecord } from '../../../shared/schema/events/events.ts';
import type { ServerFrame } from '../../../shared/schema/events/protocol.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { ExampleProcess } from '../../support/agents/example-process.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

/** Debian's own, the one that has python3-websockets. */
const PYTHON = '/usr/bin/python3';

const FOLLOWERS: [string, string[]][] = [
  ['follow-events.mjs', [process.execPath, 'follow-events.mjs', 'session.created']],
  ['client-follow.mjs', [process.execPath, 'client-follow.mjs', 'session.created']],
  ['follow_events.py', [PYTHON, 'follow_events.py', 'session.created']],
];

function namesOf(lines: readonly unknown[]): (string | undefined)[] {
  return lines.map((line) => (line as EventRecord).session);
}

/** Starts a loop that fails at once. */
async function failLoop(world: World, api: ApiClient, name: string): Promise<void> {
  const directory = world.taskDir(name, { steps: [{ do: 'crash', code: 1 }] });
  await api.openSession(name, directory);
  await api.startLoop(name, directory);
  await until('it failed', async () =>
    (await api.events('&types=auto.failed')).some(({ session }) => session === name),
  );
}

it('AL15 the system has Python with websockets', () => {
  const version = () =>
    execFileSync(PYTHON, ['-c', 'import websockets; print(websockets.__version__)'], {
      encoding: 'utf8',
    });
  expect(version, 'install it with: apt-get install python3-websockets').not.toThrow();
});

it.each(FOLLOWERS)(
  'AL15 LI3 %s follows, and resumes over a restart of the daemon',
  async (_, words) => {
    await using world = new World();
    const first = await world.spawn();
    await first.api.openSession('before', world.taskDir('web'));
    await using example = new ExampleProcess(world, words);
    await example.said('following from');
    await first.api.openSession('a', world.taskDir('web'));
    await example.printed(1);
    await first.kill();
    await example.said('not connected');
    const second = await world.spawn();
    await second.api.openSession('b', world.taskDir('web'));
    await example.printed(2);
    expect(namesOf(example.lines)).toEqual(['a', 'b']);
  },
);

it('AL15 long-poll.sh prints what failed, and resumes over a restart of the daemon and of itself', async () => {
  await using world = new World({ LOOPWATCH_RESTART_DELAYS_MS: '1' });
  const cursor = join(world.root, 'cursor');
  const words = ['bash', 'long-poll.sh', cursor];
  const first = await world.spawn();
  await using example = new ExampleProcess(world, words);
  await example.said('following from');
  await failLoop(world, first.api, 'a');
  await printsAll(first.api, example);
  await first.kill();
  const { api } = await world.spawn();
  await failLoop(world, api, 'b');
  await printsAll(api, example);
  await until('the cursor is kept', () => seqIn(cursor) >= (seqsOf(example).at(-1) ?? 0));
  await example.end();
  const kept = seqIn(cursor);
  await failLoop(world, api, 'c');
  await using again = new ExampleProcess(world, words);
  await printsAll(api, example, again);
  expect(seqsOf(again).filter((seq) => seq <= kept)).toEqual([]);
  const failed = [...example.lines, ...again.lines].filter(
    (line) => (line as EventRecord).type === 'auto.failed',
  );
  expect(namesOf(failed)).toEqual(['a', 'b', 'c']);
});

/**
 * Waits until the examples have printed every failure and every item that needs a person, each
 * once, in order.
 */
async function printsAll(api: ApiClient, ...examples: ExampleProcess[]): Promise<void> {
  await until('all is printed', async () => {
    const wanted = (await api.events('&types=auto.failed,attention.raised')).map(({ seq }) => seq);
    return String(examples.flatMap(seqsOf)) === String(wanted);
  });
}

function seqsOf({ lines }: ExampleProcess): number[] {
  return lines.map((line) => (line as EventRecord).seq);
}

function seqIn(cursorFile: string): number {
  return Number(readFileSync(cursorFile, 'utf8').split(':')[1]);
}

it('AL15 wscat.sh shows the frames with nothing but a ticket', async () => {
  await using world = new World();
  const { api } = await world.spawn();
  await api.openSession('a', world.taskDir('web'));
  await using example = new ExampleProcess(world, ['bash', 'wscat.sh', 'session.*']);
  await example.printed(3);
  await api.openSession('b', world.taskDir('web'));
  await example.printed(4);
  const frames = example.lines as ServerFrame[];
  expect(frames.map(({ type }) => type)).toEqual(['welcome', 'subscribed', 'event', 'event']);
  expect(frames.slice(2)).toMatchObject([{ event: { session: 'a' } }, { event: { session: 'b' } }]);
});

it('AL15 receive-webhook.mjs prints each event signed with its secret once, and refuses everything else', async () => {
  await using world = new World();
  const { api } = await world.spawn();
  const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
  const more = { WEBHOOK_SECRET: secret, PORT: '0' };
  await using example = new ExampleProcess(world, [process.execPath, 'receive-webhook.mjs'], more);
  await example.said('listening on');
  const url = /listening on (\S+)/.exec(example.stderr)?.[1] ?? '';
  const add = async (target: object) =>
    api.send('POST', '/api/alerts', {
      name: 'opened',
      types: ['session.created'],
      target: { kind: 'webhook', url, ...target },
    });
  await add({ secret });
  const stranger = String((await add({})).body['id']);
  await api.openSession('web', world.taskDir('web'));
  await example.printed(1);
  await example.said('refused: No matching signature');
  const tested = await api.send('POST', `/api/alerts/${stranger}/test`);
  expect(tested.body).toMatchObject({ ok: false, status: 400 });
  expect(example.lines).toMatchObject([{ type: 'session.created', data: { session: 'web' } }]);
});
