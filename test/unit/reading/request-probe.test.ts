/**
 * A hook outlives an answer at the keyboard: its request ends once the agent is seen doing
 * something else.
 */
import { expect, it } from 'vitest';
import { PERMISSION, UNKNOWN, WORKING } from '../../support/agents/agent-states.ts';
import { ALLOW, askIn, refusalOf, turn } from '../../support/browser/ask-in.ts';
import { AttentionHome } from '../../support/agents/attention-home.ts';

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

const secondsPass = async (home: AttentionHome, count: number) => {
  for (let second = 0; second < count; second += 1) {
    home.clock.advance(1_000);
    await turn();
  }
};

/** Two requests, their agent seen waiting; the first one is answered on the page after 3.5 s. */
async function answerFirst(home: AttentionHome) {
  home.agent = PERMISSION;
  home.attention.observe('web', PERMISSION);
  const first = askIn(home);
  const second = askIn(home);
  await secondsPass(home, 3);
  home.clock.advance(500);
  home.attention.answer(first.id, ALLOW, 'admin');
  await turn();
  return second;
}

it('AT15 a request that comes after an answered one ends when it is answered at the keyboard', async () => {
  using home = new AttentionHome();
  const { asked, id } = await answerFirst(home);
  await secondsPass(home, 3);
  home.agent = WORKING;
  home.attention.observe('web', WORKING);
  await secondsPass(home, 2);
  expect(asked.result).toBeNull();
  expect(home.all().find((item) => item.id === id)).toMatchObject({ outcome: 'resolved' });
});

it('AT15 a request has 2 s from the answer to the one before it', async () => {
  using home = new AttentionHome();
  const { asked, id } = await answerFirst(home);
  home.agent = WORKING;
  home.attention.observe('web', WORKING);
  home.clock.advance(1_999);
  await turn();
  home.agent = PERMISSION;
  home.attention.observe('web', PERMISSION);
  await secondsPass(home, 10);
  expect(asked.result).toBe('open');
  expect(home.attention.answer(id, ALLOW, 'admin').outcome).toBe('answered');
});

it('AT24 an answer does not wait for a request that ended meanwhile', async () => {
  using home = new AttentionHome();
  const { asked, id } = askIn(home);
  let settled = false;
  void home.attention.settle(id).then(() => (settled = true));
  await turn();
  asked.leave.abort();
  await turn();
  expect(settled).toBe(true);
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
  await secondsPass(home, 10);
  expect(asked.result).toBe('open');
  await home.attention.settle(id);
  expect(home.attention.answer(id, ALLOW, 'admin').outcome).toBe('answered');
});
