/** What respawn observes of one session, and in which order it reports that. */
import { expect, it } from 'vitest';
import type { HookEvent } from '../../../server/agents/hooks/hook-event.ts';
import { RespawnWatch, type RespawnWatchOptions } from '../../../server/respawn/respawn-watch.ts';
import type { UnstampedInput } from '../../../server/respawn/machine/respawn-state.ts';
import type { LastMessage } from '../../../server/sessions/watching/agent-details.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';

const DONE: LastMessage = { end: 'All parts are in.\nSTATUS: DONE', witness: 'hook' };
const STOP: HookEvent = { kind: 'stop', sessionId: null, backgroundTasks: [], text: DONE.end };

function watch(git = Promise.resolve(null)) {
  const inputs: UnstampedInput[] = [];
  const agent = { lastMessage: null as LastMessage | null };
  const options = {
    session: 'web',
    clock: new ManualClock(),
    sessions: { get: () => ({ cwd: '/' }) },
    git: { find: async () => git },
    displays: { open: () => ({ close: () => undefined }) },
    attention: { requestOf: () => null },
    attachments: { controllerOf: () => null },
    monitor: {
      program: () => ({ kind: 'agent', program: { pid: 1, startedAt: '1', conversation: null } }),
      agent: () => ({ state: 'ready' }),
      details: () => agent,
    },
    mayTry: () => true,
    budgetSpent: () => null,
    notice: (input: UnstampedInput) => inputs.push(input),
  } as unknown as RespawnWatchOptions;
  return { watched: new RespawnWatch(options), inputs, agent };
}

it('RS57 the message of a turn is known before the hook that ends it', () => {
  const { watched, inputs, agent } = watch();
  agent.lastMessage = DONE;
  watched.heard(STOP);
  expect(inputs).toMatchObject([
    { kind: 'agent', reported: { status: 'done' } },
    { kind: 'hook', hook: 'stop' },
  ]);
});

it('RS57 it does not wait for git', () => {
  const { watched, inputs, agent } = watch(new Promise(() => undefined));
  agent.lastMessage = DONE;
  void watched.observe(true);
  expect(inputs).toMatchObject([{ kind: 'agent', reported: { status: 'done' } }]);
});
