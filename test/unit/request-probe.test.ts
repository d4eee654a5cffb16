/**
 * A hook outlives an answer at the keyboard: its request ends once the agent is seen doing
 * something else.
 */
import { expect, it } from 'vitest';
import { PERMISSION, UNKNOWN, WORKING } from '../support/agent-states.ts';
import { ALLOW, askIn, refusalOf, turn } from '../support/ask-in.ts';
import { AttentionHome } from '../support/attention-home.ts';

it('AT15 a request whose agent is busy with something else ends after 2 s, as resolved', async () => {
  using home = new AttentionHome();
  home.agent = WORKING;
  home.attention.observe('web', WORKING);
  const { asked, id } = askIn(home);
  home.clock.advance(1_999);
  await turn();
  expect(asked.result).toBe('open');
  home.clock.advance(1);
  await turn();
  expect(asked.result).toBeNull();
  expect(home.all().at(-1)).toMatchObject({ id, outcome: 'resolved', by: null, answer: null });
  expect(refusalOf(() => home.attention.answer(id, ALLOW, 'admin'))).toBe('attention_cleared');
});

it('AT24 an answer waits until it is known whether the agent still asks', async () => {
  using home = new AttentionHome();
  home.agent = WORKING;
  const { id } = askIn(home);
  let settled = false;
  void home.attention.settle(id).then(() => (settled = true));
  await turn();
  expect(settled).toBe(false);
  home.clock.advance(2_000);
  await turn();
  expect(settled).toBe(true);
  expect(refusalOf(() => home.attention.answer(id, ALLOW, 'admin'))).toBe('attention_cleared');
});

it.each([
  ['waits', PERMISSION],
  ['is not understood', UNKNOWN],
  ['was not seen', null],
] as const)('AT15 an agent that %s keeps its request', async (_words, agent) => {
  using home = new AttentionHome();
  home.agent = agent;
  home.attention.observe('web', agent);
  const { asked, id } = askIn(home);
  for (let second = 0; second < 10; second += 1) {
    home.clock.advance(1_000);
    await turn();
  }
  expect(asked.result).toBe('open');
  await home.attention.settle(id);
  expect(home.attention.answer(id, ALLOW, 'admin').outcome).toBe('answered');
});
