/** The inbox under any order of states, requests, answers and ends. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import { agentState } from '../../support/agents/agent-states.ts';
import { AttentionHome } from '../../support/agents/attention-home.ts';
import { BASH_REQUEST } from '../../support/agents/need-person.ts';
import { sized } from '../../support/house/random.ts';

const SESSIONS = ['web', 'db'];
const STATES: (AgentState | null)[] = [
  null,
  agentState({ state: 'working' }),
  agentState({ state: 'waiting', cause: 'permission' }),
  agentState({ state: 'waiting', cause: 'plan' }),
  agentState({ state: 'waiting', cause: 'dialog' }),
  agentState({ state: 'waiting', cause: 'trust' }),
  agentState({ state: 'unknown', cause: 'disagreement' }),
  agentState({ state: 'errored', cause: 'authentication' }),
  agentState({ state: 'exited' }),
];

type Step =
  | { do: 'observe'; session: string; agent: AgentState | null }
  | { do: 'ask' | 'close'; session: string }
  | { do: 'answer' | 'dismiss' | 'leave'; pick: number }
  | { do: 'wait'; ms: number }
  | { do: 'restart' };

const session = fc.constantFrom(...SESSIONS);
const pick = fc.nat(20);
const STEP: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('observe' as const),
      session,
      agent: fc.constantFrom(...STATES),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('ask' as const), session }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('answer' as const, 'dismiss', 'leave'), pick }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 4_000, 5_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('close' as const), session }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
);

interface Asked {
  leave: AbortController;
  results: unknown[];
}

it('AT1, AT2, AT3 every item is cleared exactly once, and rows, events and requesters agree', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 20, maxLength: 60 }), async (steps) => {
      using home = new AttentionHome();
      const asked: Asked[] = [];
      let taken = 0;
      for (const step of steps) {
        taken += perform(home, asked, step);
        checkOpen(home);
      }
      for (const name of SESSIONS) home.attention.close({ kind: 'session', id: name });
      await new Promise((resolve) => setImmediate(resolve));
      checkHistory(home);
      expect(asked.every(({ results }) => results.length === 1)).toBe(true);
      const answered = asked.filter(({ results }) => results[0] !== null);
      expect(answered).toHaveLength(taken);
      expect(home.all().filter(({ outcome }) => outcome === 'answered')).toHaveLength(taken);
      expect([home.open(), home.errors, home.clock.pending]).toEqual([[], [], 0]);
    }),
    { numRuns: sized({ short: 20, middle: 200, long: 3_000 }) },
  );
});

/** The number of accepted answers. */
function perform(home: AttentionHome, asked: Asked[], step: Step): number {
  switch (step.do) {
    case 'observe':
      home.attention.observe(step.session, step.agent);
      return 0;
    case 'ask': {
      const one: Asked = { leave: new AbortController(), results: [] };
      asked.push(one);
      void home.attention
        .ask(step.session, BASH_REQUEST, one.leave.signal)
        .then((result) => one.results.push(result));
      return 0;
    }
    case 'close':
      home.attention.close({ kind: 'session', id: step.session });
      return 0;
    case 'leave':
      asked[step.pick % Math.max(asked.length, 1)]?.leave.abort();
      return 0;
    case 'wait':
      home.clock.advance(step.ms);
      return 0;
    case 'restart':
      // An orderly stop; kill -9 has its own test.
      home.attention.dispose();
      home.restart();
      return 0;
    default:
      return speak(home, step.do, step.pick);
  }
}

function speak(home: AttentionHome, how: 'answer' | 'dismiss', pick: number): number {
  const all = home.all();
  const item = all[pick % Math.max(all.length, 1)];
  if (item === undefined) return 0;
  try {
    if (how === 'dismiss') home.attention.dismiss(item.id, 'admin');
    else home.attention.answer(item.id, { decision: 'allow' }, 'admin');
    return how === 'answer' ? 1 : 0;
  } catch (error) {
    expect(['attention_cleared', 'not_answerable']).toContain((error as { code: string }).code);
    return 0;
  }
}

function checkOpen(home: AttentionHome): void {
  for (const name of SESSIONS) {
    const open = home.open().filter((item) => item.session === name);
    const own = open.filter(({ request }) => request === null);
    expect(own.length).toBeLessThanOrEqual(1);
    const dialogs = ['permission', 'question', 'dialog_open', 'unknown_screen'];
    if (open.length > own.length) {
      expect(own.filter(({ reason }) => dialogs.includes(reason))).toEqual([]);
    }
  }
}

function checkHistory(home: AttentionHome): void {
  const events = home.events();
  const ids = [...new Set(events.map(({ data }) => data.id))];
  const rows = new Map(home.all().map((item) => [item.id, item]));
  expect([...rows.keys()].sort()).toEqual(ids.sort());
  for (const id of ids) {
    const history = events.filter(({ data }) => data.id === id);
    const row = rows.get(id);
    expect(history.filter(({ type }) => type === 'attention.cleared')).toHaveLength(1);
    expect(history[0]?.type).toBe('attention.raised');
    expect(history.at(-1)).toMatchObject({
      type: 'attention.cleared',
      session: row?.session,
      data: { reason: row?.reason, outcome: row?.outcome, by: row?.by, answer: row?.answer },
    });
  }
}
