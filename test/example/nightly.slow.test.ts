/** The example supervisor: its rules, and that kills make it lose or repeat nothing. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { markedProcesses } from '../../server/lib/processes/marked-processes.ts';
import { packageRoot } from '../../server/lib/package-root.ts';
import { TURN_VARIABLE } from '../../server/agents/headless/turn-processes.ts';
import { bundleModule } from '../support/browser/bundle-module.ts';
import { EventHome } from '../support/events/event-home.ts';
import { seeded } from '../support/house/random.ts';
import { until } from '../support/house/until.ts';
import { transition } from './nightly.ts';

const RESULT = { exit_code: 0, output: '', duration_ms: 1 };
const NIGHTS = 8;
const KILLS = 4;

it('AR9 the nightly command starts when it is due and is retried until it succeeds', () => {
  const due = { status: 'waiting', night: 3, dueMs: 1_000 } as const;
  expect(transition(due, { kind: 'tick', wallMs: 999 }).state).toBe(due);
  const begun = transition(due, { kind: 'tick', wallMs: 1_000 });
  expect(begun).toMatchObject({
    state: { status: 'running', night: 3 },
    effects: [{ kind: 'run' }],
  });
  const ran = (status: 'passed' | 'failed') =>
    transition(
      { status: 'running', night: 3 },
      { kind: 'ran', result: { status, ...RESULT }, wallMs: 0 },
    );
  expect(ran('failed').state).toEqual({ status: 'waiting', night: 3, dueMs: 60_000 });
  expect(ran('passed').state).toEqual({ status: 'waiting', night: 4, dueMs: 86_400_000 });
});

it('AR15 when killed at any moment, each nightly command succeeds once, in order, and no process is left', async () => {
  using home = new EventHome();
  home.open();
  const program = await bundleModule(
    'test/example/nightly-process.ts',
    join(packageRoot(), 'dist'),
  );
  const diary = join(home.path, 'diary');
  appendFileSync(diary, '');
  const begun = () => readFileSync(diary, 'utf8').split('\n').length - 1;
  const command = `echo begun >> '${diary}'; sleep 0.05`;
  const start = () => spawn(process.execPath, [program, home.path, command], { stdio: 'inherit' });
  const kill = async (child: ChildProcess) => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  await seeded(async (random) => {
    for (let count = 0; count < KILLS; count += 1) {
      const wanted = begun() + random.int(1, 4);
      const child = start();
      await until(`night ${wanted}`, () => begun() >= wanted, begun);
      await kill(child);
    }
  });
  const last = start();
  const { log } = home.open();
  const nights = () =>
    log
      .read(0, 10_000)
      .map(({ json }) => (JSON.parse(json) as { data: { reason: string } }).data.reason);
  const passed = () => nights().filter((said) => said.endsWith('passed'));
  await until(
    'all nights',
    () => passed().length >= NIGHTS,
    () => nights().at(-1),
  );
  await kill(last);
  const { length } = passed();
  expect(passed()).toEqual(Array.from({ length }, (_, index) => `night ${index + 1} passed`));
  const marked = () => markedProcesses({ name: TURN_VARIABLE, value: 'nightly' });
  const again = start();
  await until(
    'one more night',
    () => passed().length > length,
    () => nights().at(-1),
  );
  await kill(again);
  // What a killed process leaves ends with the next one, or on its own.
  await until('no process left', () => marked().length === 0, marked);
});
