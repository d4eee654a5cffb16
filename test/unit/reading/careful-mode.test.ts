/** Careful mode: which versions are trusted, and what it does to typing and the inbox. */
import { expect, it, onTestFinished } from 'vitest';
import { attentionFor } from '../../../server/attention/attention-for.ts';
import { MetaStore } from '../../../server/db/meta-store.ts';
import { ClientVersions } from '../../../server/sessions/watching/client-versions.ts';
import { mayType } from '../../../server/sessions/typing/may-type.ts';
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import { EventHome } from '../../support/events/event-home.ts';

const NEWER = '2.1.331';

function opened(trust: 'tested' | 'any' = 'tested') {
  const home = new EventHome();
  onTestFinished(() => home[Symbol.dispose]());
  const { database, log } = home.open();
  const meta = new MetaStore(database);
  const open = () => new ClientVersions({ meta, log, clock: home.clock, trust });
  const events = () =>
    log
      .readTypes(['client.trusted', 'client.distrusted'], 0, log.head)
      .map(({ type, data }) => [type, JSON.parse(data) as unknown]);
  return { meta, open, events };
}

it.each([
  [NEWER, true],
  ['2.2.0', true],
  ['10.0.0', true],
  ['2.1.330', false],
  ['2.1.197', false],
  ['nightly', false],
  ['2.1.400-beta', false],
  [null, false],
])('CF1 CF8 a client of version %j is careful: %j', (version, careful) => {
  const expected = careful ? { cause: 'untested_version', version } : null;
  expect(opened().open().careful(version)).toEqual(expected);
  expect(opened('any').open().careful(version), 'CF6').toBeNull();
});

it('CF4 CF5 CF9 what a person trusts is kept, once, until they trust it no longer', () => {
  const { open, events } = opened();
  const versions = open();
  let changes = 0;
  versions.onChange(() => (changes += 1));
  versions.trust(NEWER, 'Mia');
  versions.trust(NEWER, 'Jan');
  expect(open().careful(NEWER)).toBeNull();
  const inUse = new Map([
    ['2.1.197', ['web']],
    ['nightly', ['odd']],
  ]);
  expect(open().view(inUse)).toMatchObject({
    newest_tested: '2.1.330',
    trust: 'tested',
    versions: [
      { version: NEWER, tested: false, trusted: true, trusted_by: 'Mia', sessions: [] },
      { version: '2.1.197', tested: true, trusted: true, trusted_by: null, sessions: ['web'] },
    ],
  });
  versions.distrust(NEWER, 'Jan');
  versions.distrust(NEWER, 'Jan');
  expect(open().careful(NEWER)).not.toBeNull();
  expect(changes).toBe(2);
  expect(events()).toEqual([
    ['client.trusted', { version: NEWER, author: 'Mia' }],
    ['client.distrusted', { version: NEWER, author: 'Jan' }],
  ]);
});

it('CF10 what a restored database trusts is trusted no longer, and a damaged row trusts nothing', () => {
  const { meta, open } = opened();
  open().trust(NEWER, 'Mia');
  meta.markRestored({ at: '2026-11-22T10:00:00.000Z', ended_runs: null });
  expect(open().careful(NEWER)).not.toBeNull();
  meta.saveTrustedClients([{ version: NEWER, by: 'Mia', at: 'yesterday' }]);
  expect(open().careful(NEWER)).not.toBeNull();
});

it.each(['person', 'daemon'] as const)('CF3 nothing of a %s is typed into it', (source) => {
  const program = { pid: 7, startedAt: '7', conversation: null };
  const front = { kind: 'agent', name: 'claude', program, box: 'empty', draft: null } as const;
  const verdict = (isUntested: boolean, asked = false) =>
    mayType({ source, text: 'go', program }, { ...front, state: 'ready', isUntested }, null, asked);
  expect(verdict(true)).toEqual({ kind: 'hold', reason: 'agent_untested' });
  expect(verdict(true, true)).toEqual({ kind: 'hold', reason: 'agent_untested' });
  expect(verdict(false)).toMatchObject({ kind: 'type' });
});

it('CF7 it is in the inbox while nothing else is', () => {
  const careful = { cause: 'untested_version', version: NEWER } as const;
  const agent: AgentState = {
    state: 'working',
    cause: 'none',
    detail: null,
    witness: 'record',
    since: '2026-11-22T10:00:00.000Z',
    until: null,
    careful,
  };
  expect(attentionFor(agent)).toMatchObject({
    reason: 'untested_client',
    detail: `Claude Code ${NEWER}; loopwatch client trust ${NEWER}`,
  });
  const asking = { ...agent, state: 'waiting', cause: 'permission' } as const;
  expect(attentionFor(asking)?.reason).toBe('permission');
  expect(attentionFor({ ...agent, careful: { ...careful, cause: 'disagreement' } })).toBeNull();
});
