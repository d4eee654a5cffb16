/** What keeps an idle agent from getting a prompt: its reasons, the circuit breaker, being stuck. */
import { describe, expect, it } from 'vitest';
import type { BudgetHold } from '../../../server/budgets/budgeted-work.ts';
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import type { RespawnConfigChange } from '../../../shared/schema/loops/respawn.ts';
import { RespawnLife } from '../../support/respawn/respawn-life.ts';

const HOLD: BudgetHold = { reason: 'reserve', kind: 'spent', text: 'Kept', untilMs: null };

/** Nothing left out, and nothing to wait for after `update`. */
const SHORT: RespawnConfigChange = { send_clear: false, send_init: false };

/** A whole short cycle, to `watching` again. */
function cycle(life: RespawnLife): RespawnLife {
  life.working().ready().tick(3_000);
  expect(life.name).toBe('sending_update');
  return life.step();
}

const blocksOf = ({ said }: RespawnLife) => said.filter((each) => each.startsWith('blocked'));

describe('reasons', () => {
  const agent = (state: AgentState['state'], cause: AgentState['cause'] = 'none') =>
    [`${state} ${cause}`, (life: RespawnLife) => life.agent(state, { cause })] as const;

  it.each([
    [...agent('working'), 'working'],
    [...agent('retrying', 'overloaded'), 'working'],
    [...agent('compacting'), 'working'],
    [...agent('background', 'shell'), 'background_work'],
    [...agent('waiting', 'question'), 'waiting_for_person'],
    [...agent('waiting', 'permission'), 'waiting_for_person'],
    [...agent('waiting', 'history_search'), 'waiting_for_person'],
    [...agent('limited', 'five_hour'), 'quota'],
    [...agent('errored', 'authentication'), 'agent_error'],
    [...agent('errored', 'billing'), 'agent_error'],
    [...agent('interrupted'), 'interrupted'],
    [...agent('exited'), 'agent_exited'],
    [...agent('unknown', 'disagreement'), 'unknown_screen'],
    ['no agent', (life: RespawnLife) => life.see({ agent: null }), 'no_agent'],
    [
      'teammates',
      (life: RespawnLife) => life.see({ background: { subagents: 0, shells: 0, teammates: 2 } }),
      'background_work',
    ],
    ['keys', (life: RespawnLife) => life.see({ keys: 'mia' }), 'keys_taken'],
    [
      'budget',
      (life: RespawnLife) => life.see({ budget: { ...HOLD, reason: 'budget' } }),
      'budget',
    ],
    ['FP8 reserve', (life: RespawnLife) => life.see({ budget: HOLD }), 'reserve'],
    ['reported done', (life: RespawnLife) => life.reports('done'), 'reported_done'],
    ['reported blocked', (life: RespawnLife) => life.reports('blocked'), 'reported_blocked'],
  ] as const)(
    'RS21 RS22 BG10 %s sends nothing, says why once, and continues afterwards',
    (_, happen, reason) => {
      const life = happen(RespawnLife.plain()).tick(600_000);
      expect([life.name, life.submitted]).toEqual(['watching', []]);
      expect(blocksOf(life)).toEqual([`blocked ${reason}`]);
      expect(life.known.run?.block).toMatchObject({ reason });
      life.see({
        background: { subagents: 0, shells: 0, teammates: 0 },
        keys: null,
        budget: null,
        reported: null,
      });
      expect(life.ready('screen').tick(31_000).submitted).toEqual(['submit update']);
      expect(life.known.run?.block).toBeNull();
    },
  );

  it.each(['overloaded', 'network', 'prompt_too_long'] as const)(
    'RS21 a cycle is the retry of an error that may pass: %s',
    (cause) => {
      const life = RespawnLife.plain().agent('errored', { cause }).tick(31_000);
      expect(life.submitted).toEqual(['submit update']);
    },
  );

  it('RS22 another reason is another event', () => {
    const life = RespawnLife.plain()
      .agent('unknown')
      .tick(60_000)
      .agent('interrupted')
      .tick(60_000);
    expect(blocksOf(life)).toEqual(['blocked unknown_screen', 'blocked interrupted']);
  });

  it('RS22 a reason that is over is no longer shown, and is a new one when it returns', () => {
    const life = RespawnLife.plain().agent('interrupted').tick(60_000).working();
    expect(life.known.run?.block).toBeNull();
    expect(blocksOf(life.agent('interrupted').tick(60_000))).toHaveLength(2);
  });
});

describe('the circuit breaker', () => {
  const tree = (commits: number, files = 0) => ({ tree: { commits, files } });

  it('RS24 opens after the set number of cycles that changed nothing', () => {
    const life = RespawnLife.plain(SHORT).see(tree(5));
    cycle(cycle(cycle(life)));
    life.working().ready().tick(3_000);
    expect(life.name).toBe('watching');
    expect(life.said.at(-1)).toBe('blocked circuit_open');
    expect(life.known.breaker).toMatchObject({ status: 'open', misses: 3 });
    expect(life.known.recent.map(({ progress }) => progress)).toEqual([false, false, false]);
  });

  it('RS25 lets one cycle try after its pause, and opens again without progress', () => {
    const life = RespawnLife.plain(SHORT).see(tree(5));
    cycle(cycle(cycle(life))).tick(30_000);
    expect(life.tick(1_799_999).submitted).toHaveLength(3);
    life.tick(61_000);
    expect(life.submitted).toHaveLength(4);
    life.deliver().working().ready().tick(40_000);
    expect(life.known.breaker).toMatchObject({ status: 'open', misses: 4 });
  });

  it('RS25 progress of the cycle that tries closes it', () => {
    const life = RespawnLife.plain(SHORT).see(tree(5));
    cycle(cycle(cycle(life)))
      .tick(30_000)
      .tick(1_861_000)
      .deliver();
    life.working().ready().tick(10_000).see(tree(6)).tick(30_000);
    expect(life.name).toBe('sending_update');
    expect(life.known.breaker).toEqual({ status: 'closed', misses: 0 });
  });

  it.each([
    ['a commit', tree(6)],
    ['a file', tree(5, 1)],
  ])('RS24 %s after the update is progress', (_, changed) => {
    const other = RespawnLife.plain(SHORT).see(tree(5));
    cycle(cycle(other)).see(changed);
    cycle(cycle(other));
    expect(other.known.breaker).toMatchObject({ status: 'closed', misses: 1 });
  });

  it('RS24 the notes that update asks for are no progress', () => {
    const life = RespawnLife.plain(SHORT).see(tree(5));
    for (let count = 1; count <= 3; count += 1) {
      life.working().ready().tick(4_000).deliver().working().see(tree(5, count));
      life.ready().tick(10_000);
    }
    life.working().ready().tick(3_000);
    expect(life.known.breaker).toMatchObject({ status: 'open' });
    expect(life.known.recent[0]?.changed).toMatchObject({ files: 1 });
  });

  it('RS26 progress by anyone closes it', () => {
    const life = RespawnLife.plain(SHORT).see(tree(5));
    cycle(cycle(cycle(life)))
      .tick(31_000)
      .see(tree(6))
      .working()
      .ready()
      .tick(3_000);
    expect(life.name).toBe('sending_update');
  });

  it('RS26 a cycle that was cancelled does not count', () => {
    const life = RespawnLife.plain(SHORT).see(tree(5));
    for (let count = 0; count < 6; count += 1) {
      life.working().ready().tick(3_500);
      expect(life.name).toBe('sending_update');
    }
    life.working();
    expect(life.known.breaker).toEqual({ status: 'closed', misses: 0 });
  });

  it('RS26 a cycle of an earlier run does not count', () => {
    const life = RespawnLife.plain({ ...SHORT, breaker_after_cycles: 1 }).see(tree(5));
    cycle(life).stop().start().see({}).tick(31_000);
    expect(life.submitted).toHaveLength(2);
  });

  it('RS24 where nothing counts progress, visible work is progress', () => {
    const life = RespawnLife.plain(SHORT);
    for (let count = 0; count < 5; count += 1) cycle(life);
    expect(life.known.breaker).toEqual({ status: 'closed', misses: 0 });
  });

  it('RS24 texts that never arrive open it too', () => {
    const life = RespawnLife.plain({ ...SHORT, breaker_after_cycles: 2 }).see(tree(5));
    for (let count = 0; count < 2; count += 1) life.tick(31_000).deliver('failed');
    expect(life.tick(31_000).said.at(-1)).toBe('blocked circuit_open');
    expect(life.submitted).toHaveLength(2);
  });
});

describe('stuck', () => {
  /** Draws something all the time, and never works: a clock in a status line. */
  const restless = (life: RespawnLife, minutes: number) => {
    for (let count = 0; count < minutes * 6; count += 1) life.tick(10_000).text();
    return life;
  };

  it('RS27 watching that never gets quiet is decided after 10 min', () => {
    const life = restless(RespawnLife.plain(), 9.5);
    expect(life.name).toBe('watching');
    expect(restless(life, 1).submitted).toEqual(['submit update']);
    expect(life.known.run?.recoveries).toBe(1);
    expect(life.known.actions.some(({ detail }) => detail === 'watching for 5 min')).toBe(true);
  });

  it('RS28 visible work is not stuck, however long it lasts', () => {
    const life = RespawnLife.plain();
    for (let count = 0; count < 120; count += 1) life.working().tick(60_000);
    expect([life.submitted, life.known.run?.recoveries]).toEqual([[], 0]);
  });

  it('RS27 a step that never ends ends its cycle', () => {
    const life = RespawnLife.plain().working().ready('screen').tick(31_000).deliver();
    expect(restless(life, 10.1).name).toBe('watching');
    expect(life.known.recent[0]?.outcome).toBe('stuck');
  });

  it('RS27 a text that stays in the outbox is cancelled', () => {
    const life = RespawnLife.plain().completes().tick(11_000).tick(599_999);
    expect(life.name).toBe('watching');
    expect(life.done).toEqual(['submit update', 'withdraw']);
  });

  it('RS28 after the set number a person is needed, and a return to watching resets none', () => {
    const life = restless(RespawnLife.plain({ max_stuck_recoveries: 2 }), 10.1);
    for (let count = 0; count < 12; count += 1) {
      if (life.name === 'sending_update') life.tick(1_000).deliver('failed');
      restless(life, 10.1);
    }
    expect(life.known.run?.recoveries).toBe(2);
    expect(life.said).toContain('blocked stuck');
  });

  it('RS28 a completed cycle resets the recoveries', () => {
    const life = restless(RespawnLife.plain(SHORT), 10.1);
    expect(life.known.run?.recoveries).toBe(1);
    life.tick(1_000).deliver().working().ready().tick(10_000);
    expect(life.known.run?.recoveries).toBe(0);
  });
});
