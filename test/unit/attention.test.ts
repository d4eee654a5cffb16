/** The inbox on a real database: what raises, what keeps, what clears, and in which order. */
import { expect, it } from 'vitest';
import type { AgentState } from '../../shared/agent-state.ts';
import type { AttentionAnswer } from '../../shared/attention.ts';
import { AttentionHome } from '../support/attention-home.ts';
import { agentState, BASH_REQUEST } from '../support/need-person.ts';

const WORKING = agentState({ state: 'working', cause: 'tool' });
const PERMISSION = agentState({ state: 'waiting', cause: 'permission' });
const UNKNOWN = agentState({ state: 'unknown', cause: 'disagreement' });
const TRUST = agentState({ state: 'waiting', cause: 'trust' });
const ALLOW: AttentionAnswer = { decision: 'allow' };

/** Asks, and keeps what came of it: 'open' until then. */
function ask(home: AttentionHome, session = 'web') {
  const leave = new AbortController();
  const asked = { result: 'open' as AttentionAnswer | null | 'open', leave };
  void home.attention.ask(session, BASH_REQUEST, leave.signal).then((result) => {
    asked.result = result;
  });
  return { asked, id: home.open().at(-1)?.id ?? '' };
}

const turn = async () => new Promise((resolve) => setImmediate(resolve));

function refusalOf(act: () => unknown): string {
  try {
    act();
    return 'done';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

it('AT1 a state is one item however often it is seen, and is over when the state is', () => {
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

it('AT1 another reason takes the place of the last in one transaction', () => {
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
  'AT1 what is open is gone with the agent (%j)',
  async (agent) => {
    using home = new AttentionHome();
    const { asked } = ask(home);
    home.attention.observe('web', PERMISSION);
    home.attention.observe('db', TRUST);
    home.attention.observe('web', agent);
    home.attention.observe('db', agent);
    await turn();
    expect(asked.result).toBe(null);
    expect(home.all().map(({ outcome }) => outcome)).toEqual(['gone', 'gone']);
  },
);

it('AT2 a request is one item with its dialog, whichever is seen first', () => {
  using home = new AttentionHome();
  home.attention.observe('state-first', PERMISSION);
  const { id } = ask(home, 'state-first');
  ask(home, 'request-first');
  home.attention.observe('request-first', PERMISSION);
  home.attention.observe('request-first', UNKNOWN);
  home.attention.observe('request-first', { ...PERMISSION, cause: 'dialog' });
  expect(home.open()).toMatchObject([
    { id, session: 'state-first', title: 'Bash: touch made-by-stub.txt', request: BASH_REQUEST },
    { session: 'request-first', request: BASH_REQUEST },
  ]);
  expect(home.told().map(({ session, data }) => [session, data.id === id])).toEqual([
    ['state-first', true],
    ['state-first', true],
    ['request-first', false],
  ]);
});

it('AT2 a request hides no other need', () => {
  using home = new AttentionHome();
  ask(home);
  home.attention.observe('web', agentState({ state: 'errored', cause: 'authentication' }));
  expect(home.open().map(({ reason }) => reason)).toEqual(['permission', 'login_needed']);
});

it('AT3 an answer is in row and event before whoever asked has it', async () => {
  using home = new AttentionHome();
  const { asked, id } = ask(home);
  const answer: AttentionAnswer = { decision: 'deny', message: 'not on a Friday' };
  const item = home.attention.answer(id, answer, 'operator');
  expect(asked.result).toBe('open');
  expect(item).toMatchObject({
    ...{ outcome: 'answered', by: 'operator', answer: 'deny: not on a Friday', request: null },
    cleared_at: '2026-01-01T00:00:00.000Z',
  });
  expect(home.told().at(-1)).toMatchObject({
    type: 'attention.cleared',
    data: { id, outcome: 'answered', by: 'operator', answer: 'deny: not on a Friday' },
  });
  await turn();
  expect(asked.result).toEqual(answer);
});

it('AT3 an answer that cannot be written reaches nobody, and can be given again', async () => {
  using home = new AttentionHome();
  const { asked, id } = ask(home);
  home.database.raw.exec(
    "CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'no room'); END",
  );
  expect(() => home.attention.answer(id, ALLOW, 'admin')).toThrow('no room');
  await turn();
  expect([asked.result, home.open().length]).toEqual(['open', 1]);
  home.database.raw.exec('DROP TRIGGER full');
  home.attention.answer(id, ALLOW, 'admin');
  await turn();
  expect(asked.result).toEqual(ALLOW);
});

it('AT3 of many answers at once one is taken', async () => {
  using home = new AttentionHome();
  const { asked, id } = ask(home);
  const told = await Promise.all(
    Array.from({ length: 20 }, async (_, number) => {
      await turn();
      const answer: AttentionAnswer = { decision: 'deny', message: `number ${number}` };
      return refusalOf(() => home.attention.answer(id, answer, `person ${number}`));
    }),
  );
  expect(told.sort()).toEqual([...Array<string>(19).fill('attention_cleared'), 'done']);
  const [item] = home.all();
  expect(asked.result).toMatchObject({ message: item?.answer?.replace('deny: ', '') });
  expect(home.words()).toHaveLength(2);
});

it('AT4 what cannot be answered says so, and why', () => {
  using home = new AttentionHome();
  home.attention.observe('web', TRUST);
  const { id } = home.open()[0] ?? { id: '' };
  expect(() => home.attention.answer(id, ALLOW, 'admin')).toThrow('loopwatch attach web');
  expect(refusalOf(() => home.attention.answer(id, ALLOW, 'admin'))).toBe('not_answerable');
  expect(refusalOf(() => home.attention.answer('no', ALLOW, 'admin'))).toBe('attention_unknown');
  home.attention.observe('web', WORKING);
  expect(refusalOf(() => home.attention.answer(id, ALLOW, 'admin'))).toBe('attention_cleared');
  expect(refusalOf(() => home.attention.dismiss(id, 'admin'))).toBe('attention_cleared');
});

it('AT5 a request nobody waits for any more is over, and its dialog is not told anew', async () => {
  using home = new AttentionHome();
  const { asked } = ask(home);
  home.attention.observe('web', PERMISSION);
  asked.leave.abort();
  home.attention.observe('web', { ...PERMISSION, detail: 'still drawn' });
  home.attention.observe('web', WORKING);
  home.clock.advance(60_000);
  await turn();
  expect(asked.result).toBe(null);
  expect(home.words()).toEqual([
    'attention.raised permission',
    'attention.cleared permission resolved',
  ]);
});

it('AT5 a dialog that stays on the screen after its request is told when it should be gone', () => {
  using home = new AttentionHome();
  const { asked } = ask(home);
  home.attention.observe('web', PERMISSION);
  asked.leave.abort();
  home.clock.advance(4_999);
  expect(home.open()).toEqual([]);
  home.clock.advance(1);
  expect(home.open()).toMatchObject([{ reason: 'permission', request: null }]);
});

it('AT5 a request is over when its agent was seen waiting and goes on', async () => {
  using home = new AttentionHome();
  home.attention.observe('web', WORKING);
  const { asked } = ask(home);
  // The look was older than the request.
  home.attention.observe('web', WORKING);
  home.attention.observe('web', PERMISSION);
  home.attention.observe('web', UNKNOWN);
  await turn();
  expect(asked.result).toBe('open');
  home.attention.observe('web', WORKING);
  await turn();
  expect([asked.result, home.all()[0]?.outcome]).toEqual([null, 'resolved']);
});

it('AT5 the end of one dialog is not the end of the next request', async () => {
  using home = new AttentionHome();
  const first = ask(home);
  home.attention.observe('web', PERMISSION);
  const second = ask(home);
  home.attention.answer(first.id, ALLOW, 'admin');
  home.attention.observe('web', WORKING);
  await turn();
  expect([first.asked.result, second.asked.result]).toEqual([ALLOW, 'open']);
  home.attention.observe('web', PERMISSION);
  home.attention.observe('web', WORKING);
  await turn();
  expect(second.asked.result).toBe(null);
});

it('AT6 what was dismissed stays away until the agent is past it', async () => {
  using home = new AttentionHome();
  home.attention.observe('web', PERMISSION);
  home.attention.dismiss(home.open()[0]?.id ?? '', 'operator');
  home.attention.observe('web', { ...PERMISSION, detail: 'again' });
  expect(home.open()).toEqual([]);
  home.attention.observe('web', WORKING);
  home.attention.observe('web', PERMISSION);
  expect(home.open()).toHaveLength(1);
  const { asked, id } = ask(home);
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

it('AT7 the end of a session or of the daemon ends its items', async () => {
  using home = new AttentionHome();
  const closed = ask(home, 'web');
  const kept = ask(home, 'db');
  home.attention.observe('web', TRUST);
  home.attention.closeSession('web');
  expect(home.open().map(({ session }) => session)).toEqual(['db']);
  home.attention.dispose();
  kept.asked.leave.abort();
  await turn();
  expect([closed.asked.result, kept.asked.result]).toEqual([null, null]);
  expect(home.all().map(({ outcome }) => outcome)).toEqual(['gone', 'gone', 'gone']);
  expect(await home.attention.ask('db', BASH_REQUEST, new AbortController().signal)).toBe(null);
  home.attention.observe('db', TRUST);
  expect(home.open()).toEqual([]);
  expect(home.clock.pending).toBe(0);
});

it('AT7 after kill -9 what was open is gone, and is raised anew by who still needs it', () => {
  using home = new AttentionHome();
  const { id } = ask(home);
  home.attention.observe('db', TRUST);
  home.restart();
  expect(home.all().map(({ outcome }) => outcome)).toEqual(['gone', 'gone']);
  expect(refusalOf(() => home.attention.answer(id, ALLOW, 'admin'))).toBe('attention_cleared');
  home.attention.observe('db', TRUST);
  ask(home);
  expect(home.open().map(({ session }) => session)).toEqual(['db', 'web']);
});

it('AT8 cleared items are kept for 7 days and 1,000 of them, open ones for good', () => {
  using home = new AttentionHome();
  home.attention.observe('open', TRUST);
  const flicker = (count: number) => {
    for (let n = 0; n < count; n += 1) {
      home.attention.observe('web', TRUST);
      home.attention.observe('web', WORKING);
    }
  };
  const kept = () => home.database.raw.prepare('SELECT count(*) FROM attention').pluck().get();
  flicker(1_003);
  expect(kept()).toBe(1_001);
  home.clock.advance(7 * 86_400_000);
  flicker(1);
  expect(kept()).toBe(1_001);
  home.clock.advance(1);
  flicker(1);
  expect(kept()).toBe(3);
  expect(home.open()).toMatchObject([{ session: 'open' }]);
});

it('AT9 an agent that asks without end fills no list', async () => {
  using home = new AttentionHome();
  const asked = Array.from({ length: 25 }, () => ask(home).asked);
  await turn();
  expect(home.open()).toHaveLength(20);
  expect(asked.filter(({ result }) => result === null)).toHaveLength(5);
});

it('AT1 a state of no concern writes nothing and keeps nothing', () => {
  using home = new AttentionHome();
  const states: AgentState['state'][] = ['starting', 'ready', 'working', 'limited', 'background'];
  for (const state of states) home.attention.observe('web', agentState({ state }));
  home.attention.observe('web', null);
  expect([home.words(), home.clock.pending]).toEqual([[], 0]);
});
