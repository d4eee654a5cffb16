import { expect, it } from 'vitest';
import {
  type ContinueFacts,
  decideContinuation,
} from '../../../server/continuing/decide-continuation.ts';
import { AgentStateName } from '../../../shared/schema/agents/agent-state.ts';

const ENDED: ContinueFacts = {
  client: 'claude',
  conversation: 'c1',
  cwd: '/shop',
  live: null,
  holder: null,
  transcript: 'here',
  directory: 'there',
  noBackground: null,
};
const LIVE = { where: 'terminal pts/3', isInBackground: true, job: 'b1' };

it('FS48 FS49 of all states only idle ones in the background may be stopped', () => {
  const allowed = AgentStateName.options.filter((state) => {
    const live = { ...LIVE, agent: { state } };
    return decideContinuation({ ...ENDED, live }).blocked === null;
  });
  expect(allowed).toEqual(['ready', 'limited', 'errored', 'interrupted', 'exited']);
  for (const state of AgentStateName.options) {
    const live = { ...LIVE, isInBackground: false, agent: { state } };
    expect(decideContinuation({ ...ENDED, live }).blocked).not.toBeNull();
  }
});

it('FS49 every obstacle has a reason of its own', () => {
  const reasons = (
    [
      {},
      { conversation: null },
      { holder: { pid: 7, session: null } },
      { holder: { pid: 7, session: 'web' } },
      { transcript: 'missing' },
      { transcript: { elsewhere: '/home/me/.claude' } },
      { directory: 'gone' },
      { directory: 'outside_roots' },
    ] satisfies Partial<ContinueFacts>[]
  ).map((differs) => decideContinuation({ ...ENDED, ...differs }));
  expect(reasons.map(({ blocked }) => blocked)).toEqual([
    null,
    'conversation_unknown',
    'in_use',
    'in_use',
    'conversation_unknown',
    'other_configuration',
    'directory_gone',
    'outside_roots',
  ]);
  const texts = reasons.flatMap(({ why }) => why ?? []);
  expect(new Set(texts).size).toBe(7);
  expect(reasons[3]?.session).toBe('web');
  expect(reasons.every(({ needs_stop }) => !needs_stop)).toBe(true);
});

it('FS63 a session of another client is neither continued nor attached to, in any state', () => {
  for (const live of [null, { ...LIVE, agent: { state: 'ready' as const } }]) {
    const answer = decideContinuation({ ...ENDED, live, client: 'codex' });
    expect([answer.blocked, answer.needs_stop]).toEqual(['other_client', false]);
    expect(answer.why).toContain('a session of Codex');
    expect(answer.no_attach).toBe(answer.why);
  }
});
