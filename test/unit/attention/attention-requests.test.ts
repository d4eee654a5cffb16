/** Requests of agents in the inbox: which are answered, which are refused, and when one is over. */
import { expect, it } from 'vitest';
import type { AttentionAnswer } from '../../../shared/schema/attention/attention.ts';
import { PERMISSION, TRUST, UNKNOWN, WORKING } from '../../support/agents/agent-states.ts';
import { ALLOW, askIn, refusalOf, turn } from '../../support/browser/ask-in.ts';
import { AttentionHome } from '../../support/agents/attention-home.ts';

it('AT3 an answer is in row and event before the agent gets it', async () => {
  using home = new AttentionHome();
  const { asked, id } = askIn(home);
  const answer: AttentionAnswer = { decision: 'deny', message: 'not on a Friday' };
  const item = home.attention.answer(id, answer, 'operator');
  expect(asked.result).toBe('open');
  expect(item).toMatchObject({
    outcome: 'answered',
    by: 'operator',
    answer: 'deny: not on a Friday',
    request: null,
    cleared_at: '2026-01-01T00:00:00.000Z',
  });
  expect(home.events().at(-1)).toMatchObject({
    type: 'attention.cleared',
    data: { id, outcome: 'answered', by: 'operator', answer: 'deny: not on a Friday' },
  });
  await turn();
  expect(asked.result).toEqual(answer);
});

it('AT3 an answer that cannot be written reaches no one, and can be given again', async () => {
  using home = new AttentionHome();
  const { asked, id } = askIn(home);
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

it('AT3 of many answers at once one is accepted', async () => {
  using home = new AttentionHome();
  const { asked, id } = askIn(home);
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, async (_, number) => {
      await turn();
      const answer: AttentionAnswer = { decision: 'deny', message: `number ${number}` };
      return refusalOf(() => home.attention.answer(id, answer, `person ${number}`));
    }),
  );
  expect(outcomes.sort()).toEqual([...Array<string>(19).fill('attention_cleared'), 'done']);
  const [item] = home.all();
  expect(asked.result).toMatchObject({ message: item?.answer?.replace('deny: ', '') });
  expect(home.words()).toHaveLength(2);
});

it('AT18 an item that cannot be answered says so, and why', () => {
  using home = new AttentionHome();
  home.attention.observe('web', TRUST);
  const { id } = home.open()[0] ?? { id: '' };
  expect(() => home.attention.answer(id, ALLOW, 'admin')).toThrow('loopwatch session attach web');
  expect(refusalOf(() => home.attention.answer(id, ALLOW, 'admin'))).toBe('not_answerable');
  expect(refusalOf(() => home.attention.answer('no', ALLOW, 'admin'))).toBe('attention_unknown');
  home.attention.observe('web', WORKING);
  expect(refusalOf(() => home.attention.answer(id, ALLOW, 'admin'))).toBe('attention_cleared');
  expect(refusalOf(() => home.attention.dismiss(id, 'admin'))).toBe('attention_cleared');
});

it('AT5, AT19 a request that no one waits for is over, and its dialog is not raised again', async () => {
  using home = new AttentionHome();
  const { asked } = askIn(home);
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

it('AT19 a dialog that stays on the screen after its request ended is raised once', () => {
  using home = new AttentionHome();
  const { asked } = askIn(home);
  home.attention.observe('web', PERMISSION);
  asked.leave.abort();
  home.clock.advance(4_999);
  expect(home.open()).toEqual([]);
  home.clock.advance(1);
  expect(home.open()).toMatchObject([{ reason: 'permission', request: null }]);
});

it('AT5 a request is over when its agent was seen waiting and continues', async () => {
  using home = new AttentionHome();
  home.attention.observe('web', WORKING);
  const { asked } = askIn(home);
  // The observation was older than the request.
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
  const first = askIn(home);
  home.attention.observe('web', PERMISSION);
  const second = askIn(home);
  home.attention.answer(first.id, ALLOW, 'admin');
  home.attention.observe('web', WORKING);
  await turn();
  expect([first.asked.result, second.asked.result]).toEqual([ALLOW, 'open']);
  home.attention.observe('web', PERMISSION);
  home.attention.observe('web', WORKING);
  await turn();
  expect(second.asked.result).toBe(null);
});

it('AT9 an agent that keeps asking fills no list', async () => {
  using home = new AttentionHome();
  const asked = Array.from({ length: 25 }, () => askIn(home).asked);
  await turn();
  expect(home.open()).toHaveLength(20);
  expect(asked.filter(({ result }) => result === null)).toHaveLength(5);
});
