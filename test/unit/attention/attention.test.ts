/** The inbox on a real database: which states raise, keep and clear an item. */
import { expect, it } from 'vitest';
import type { Need } from '../../../server/attention/attention-for.ts';
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import {
  agentState,
  PERMISSION,
  TRUST,
  UNKNOWN,
  WORKING,
} from '../../support/agents/agent-states.ts';
import { askIn, turn } from '../../support/browser/ask-in.ts';
import { AttentionHome } from '../../support/agents/attention-home.ts';
import { BASH_REQUEST } from '../../support/agents/need-person.ts';

const FAILED: Need = { reason: 'restart_limit', title: 'The loop failed', detail: null };
const STUCK: Need = { reason: 'stalled', title: 'Respawn is stuck', detail: null };

it('AT1, AT16 a state is one item however often it is seen, and is over when the state is', () => {
  using home = new AttentionHome();
  for (const detail of [null, 'rm -rf build', 'rm -rf build']) {
    home.attention.observe('web', { ...PERMISSION, detail });
  }
  expect(home.open()).toMatchObject([
    { session: 'web', reason: 'permission', detail: 'rm -rf build', request: null },
  ]);
  home.attention.observe('web', WORKING);
  expect({ open: home.open(), words: home.words() }).toEqual({
    open: [],
    words: ['attention.raised permission', 'attention.cleared permission resolved'],
  });
});

it('AT16 another reason replaces the last one in one transaction', () => {
  using home = new AttentionHome();
  home.attention.observe('web', TRUST);
  home.attention.observe('web', { ...PERMISSION, cause: 'plan' });
  home.attention.observe('web', PERMISSION);
  expect(home.open()).toHaveLength(1);
  expect(home.words()).toEqual([
    'attention.raised trust_needed',
    'attention.cleared trust_needed resolved',
    'attention.raised permission',
    'attention.cleared permission resolved',
    'attention.raised permission',
  ]);
});

it.each([[null], [agentState({ state: 'exited' })]])(
  'AT16 open items are cleared with the agent (%j)',
  async (agent) => {
    using home = new AttentionHome();
    const { asked } = askIn(home);
    home.attention.observe('web', PERMISSION);
    home.attention.observe('db', TRUST);
    home.attention.observe('web', agent);
    home.attention.observe('db', agent);
    await turn();
    expect(asked.result).toBe(null);
    expect(home.all().map(({ outcome }) => outcome)).toEqual(['gone', 'gone']);
  },
);

it('AT2 a request and its dialog are one item, in either order', () => {
  using home = new AttentionHome();
  home.attention.observe('state-first', PERMISSION);
  const { id } = askIn(home, 'state-first');
  askIn(home, 'request-first');
  home.attention.observe('request-first', PERMISSION);
  home.attention.observe('request-first', UNKNOWN);
  home.attention.observe('request-first', { ...PERMISSION, cause: 'dialog' });
  expect(home.open()).toMatchObject([
    { id, session: 'state-first', title: 'Bash: touch made-by-stub.txt', request: BASH_REQUEST },
    { session: 'request-first', request: BASH_REQUEST },
  ]);
  expect(home.events().map(({ session, data }) => [session, data.id === id])).toEqual([
    ['state-first', true],
    ['state-first', true],
    ['request-first', false],
  ]);
});

it('AT2 a request hides no other need', () => {
  using home = new AttentionHome();
  askIn(home);
  home.attention.observe('web', agentState({ state: 'errored', cause: 'authentication' }));
  expect(home.open().map(({ reason }) => reason)).toEqual(['permission', 'login_needed']);
});

it('AT25 respawn that needs no one leaves the item of a failed loop, and the reverse', () => {
  using home = new AttentionHome();
  const need = (kind: 'loop' | 'respawn', required: Need | null) => {
    home.attention.require({ kind, id: 'web' }, required);
    return home.open().map(({ session, reason }) => `${session} ${reason}`);
  };
  expect(need('loop', FAILED)).toEqual(['web restart_limit']);
  expect(need('respawn', null)).toEqual(['web restart_limit']);
  expect(need('respawn', STUCK)).toEqual(['web stalled']);
  expect(need('loop', null)).toEqual(['web stalled']);
  expect(need('loop', FAILED)).toEqual(['web stalled']);
  expect(need('respawn', null)).toEqual(['web restart_limit']);
  expect(need('loop', null)).toEqual([]);
});

it('AT6 a dismissed item is not raised again until the agent is past it', async () => {
  using home = new AttentionHome();
  home.attention.observe('web', PERMISSION);
  home.attention.dismiss(home.open()[0]?.id ?? '', 'operator');
  home.attention.observe('web', { ...PERMISSION, detail: 'again' });
  expect(home.open()).toEqual([]);
  home.attention.observe('web', WORKING);
  home.attention.observe('web', PERMISSION);
  expect(home.open()).toHaveLength(1);
  const { asked, id } = askIn(home);
  home.attention.dismiss(id, 'operator');
  home.attention.observe('web', PERMISSION);
  home.clock.advance(60_000);
  await turn();
  expect([asked.result, home.open()]).toEqual([null, []]);
  expect(home.all().map(({ outcome, by }) => [outcome, by])).toEqual([
    ['dismissed', 'operator'],
    ['dismissed', 'operator'],
  ]);
});

it('AT1 a state that needs no one writes nothing and keeps nothing', () => {
  using home = new AttentionHome();
  const states: AgentState['state'][] = ['starting', 'ready', 'working', 'limited', 'background'];
  for (const state of states) home.attention.observe('web', agentState({ state }));
  home.attention.observe('web', null);
  expect([home.words(), home.clock.pending]).toEqual([[], 0]);
});
