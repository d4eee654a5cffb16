/** Conversations that no hook and no record has named: only the status line of their agent does. */
import { expect, it } from 'vitest';
import { parseStatusLine } from '../../../server/agents/records/status-line.ts';
import { UsageWatch } from '../../../server/usage/usage-watch.ts';
import { UsageHome, workOf } from '../../support/runs/usage-home.ts';

const PROCESS = { pid: 7, startedAt: '1' };
const ABOUT = { work: workOf('web', 'loop'), sinceMs: 0 };

it('US10 a conversation that only the status line names is read', async () => {
  await using home = new UsageHome();
  const { ledger, clock } = home;
  const options = { ledger, clock, logger: { warn: () => 0 }, workOf: () => ABOUT };
  const watch = new UsageWatch(options);
  home.say(home.path('c'), { id: '1', output: 3 });
  const statusLine = parseStatusLine({ session_id: 'c' });
  watch.seen('web', { process: PROCESS, conversation: null, statusLine });
  await home.settle();
  expect(home.tokens()).toMatchObject({ output: 3 });
  // A newer word than the status line, which is drawn after it.
  home.say(home.path('d'), { id: '2', output: 4 });
  watch.seen('web', { process: PROCESS, conversation: 'd', statusLine });
  await home.settle();
  expect(home.tokens()).toMatchObject({ output: 7 });
});

it('US15 a signal of a loop counts also a conversation that no probe has seen', async () => {
  await using home = new UsageHome();
  await home.ledger.follow('old', ABOUT.work, 0);
  home.say(home.path('old'), { id: '1', output: 3 });
  home.say(home.path('new'), { id: '2', output: 40 });
  home.ledger.readNow('web', { id: 'new', ...ABOUT });
  expect(home.tokens()).toMatchObject({ output: 43 });
  // The one before is over.
  await home.settle();
  home.say(home.path('old'), { id: '3', output: 500 });
  home.say(home.path('new'), { id: '4', output: 6 });
  home.ledger.readNow('web', { id: 'new', ...ABOUT });
  expect(home.tokens()).toMatchObject({ output: 49 });
});

it('US15 a conversation that a headless turn has is not read at a signal', async () => {
  await using home = new UsageHome();
  home.ledger.turnHeard('c', workOf('fix', 'task'));
  home.say(home.path('c'), { id: '1', output: 3 });
  home.ledger.readNow('web', { id: 'c', ...ABOUT });
  expect(home.tokens()).toBeNull();
});
