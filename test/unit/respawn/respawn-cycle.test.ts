/** A cycle of respawn step by step: what is sent, what counts as sent, what counts as done. */
import { describe, expect, it } from 'vitest';
import { RESPAWN_STATES } from '../../../shared/rules/respawn/respawn-names.ts';
import type { RespawnConfigChange } from '../../../shared/schema/loops/respawn.ts';
import { RespawnLife } from '../../support/respawn/respawn-life.ts';

/** At the start of a cycle, without a model to ask. */
function cycling(change: RespawnConfigChange = {}): RespawnLife {
  const life = RespawnLife.plain(change).ready().working().ready().tick(3_000).forget();
  expect(life.name).toBe('sending_update');
  return life;
}

const states = (life: RespawnLife) =>
  life.said.filter((said) => said.startsWith('state ')).map((said) => said.slice(6));

describe('the steps', () => {
  it('RS2 RS3 STS-001 a whole cycle passes every state in its order', () => {
    const life = new RespawnLife({ kickstart_prompt: 'Go on.' }).start().ready('screen').text();
    life.tick(10_000);
    expect(life.name).toBe('ai_checking');
    life.completes().tick(10_000).answer({ verdict: 'IDLE', reasoning: 'done' });
    life.step().step().step().tick(3_000).step().stop();
    expect(states(life)).toEqual([
      'watching',
      'ai_checking',
      'confirming_idle',
      'ai_checking',
      ...RESPAWN_STATES.slice(4),
      'watching',
      'stopped',
    ]);
    expect(life.submitted).toEqual([
      'submit update',
      'submit clear',
      'submit init',
      'submit kickstart',
    ]);
    expect(life.said.filter((said) => said.startsWith('cycle_done'))).toEqual([
      'cycle_done completed',
    ]);
  });

  it.each([
    ['STS-002 without clear', { send_clear: false }, ['update', 'init', 'kickstart']],
    ['STS-003 without init', { send_init: false }, ['update', 'clear']],
    ['STS-004 with neither', { send_clear: false, send_init: false }, ['update']],
    ['without a kickstart', { kickstart_prompt: null }, ['update', 'clear', 'init']],
  ])('RS3 %s only the others are sent', (_, change, steps) => {
    const life = cycling({ kickstart_prompt: 'Go on.', ...change });
    for (let count = 0; count < 4 && life.name.startsWith('sending'); count += 1) {
      life.step();
      if (life.name === 'monitoring_init') life.tick(3_000);
    }
    expect(life.submitted).toEqual(steps.map((step) => `submit ${step}`));
    expect(life.name).toBe('watching');
    const skipped = ['update', 'clear', 'init', 'kickstart'].filter(
      (step) => !steps.includes(step),
    );
    expect(life.known.recent[0]).toMatchObject({ outcome: 'completed', skipped });
  });

  it.each([
    ['below the share', 29, ['submit update', 'submit init']],
    ['at the share', 30, ['submit update', 'submit clear']],
    ['with a share of 0, which is unknown', 0, ['submit update', 'submit clear']],
    ['with an unknown share', null, ['submit update', 'submit clear']],
  ])('RS4 clear is skipped only below the share of the context: %s', (_, contextPercent, sent) => {
    const life = cycling().see({ contextPercent }).step().tick(1_000);
    expect(life.submitted).toEqual(sent);
  });

  it('RS4 clear is never skipped when that is turned off', () => {
    const life = cycling({ skip_clear: false }).see({ contextPercent: 1 }).step();
    expect(life.name).toBe('sending_clear');
  });

  it('RS3 STS-005 work after init needs no kickstart', () => {
    const life = cycling({ kickstart_prompt: 'Go on.' }).step().step().step();
    expect(life.name).toBe('monitoring_init');
    life.tick(1_000).working();
    expect(life.name).toBe('watching');
    expect(life.known.recent[0]?.outcome).toBe('worked');
    expect(life.tick(60_000).submitted).toHaveLength(3);
  });

  it('RS3 RS34 CC-005 a kickstart that is removed while it is awaited is not sent', () => {
    const monitoring = cycling({ kickstart_prompt: 'Go on.' }).step().step().step();
    monitoring.configure({ kickstart_prompt: null }).tick(3_000);
    expect([monitoring.name, monitoring.known.recent[0]?.outcome]).toEqual([
      'watching',
      'completed',
    ]);
    const sending = cycling({ kickstart_prompt: 'Go on.' }).step().step().step().tick(3_000);
    expect(sending.name).toBe('sending_kickstart');
    sending.configure({ kickstart_prompt: null }).tick(1_000);
    expect([sending.name, sending.submitted.length]).toEqual(['watching', 3]);
  });
});

describe('sent', () => {
  it('RS5 a step is sent after its pause, and counts when it is delivered', () => {
    const life = cycling().tick(999);
    expect(life.submitted).toEqual([]);
    life.tick(1);
    expect(life.effects).toEqual([
      {
        kind: 'submit',
        input: '1.1.update',
        step: 'update',
        text: life.known.config.update_prompt,
      },
    ]);
    expect(life.tick(60_000).name).toBe('sending_update');
    expect(life.said).toEqual([]);
    life.deliver('typed');
    expect(life.name).toBe('waiting_update');
    expect(life.said).toEqual(['step_sent update', 'state waiting_update']);
  });

  it.each(['failed', 'unknown'] as const)(
    'RS7 ER-002 a delivery that is %s ends the cycle',
    (how) => {
      const life = cycling().tick(1_000).deliver(how);
      expect(life.said).toEqual(['cycle_done undelivered', 'state watching']);
      expect(life.tick(29_000).submitted).toHaveLength(1);
    },
  );

  it('RS8 ER-003 after a cycle that failed the next one begins on new evidence', () => {
    const life = cycling().tick(1_000).deliver('failed').tick(30_000);
    expect(life.name).toBe('sending_update');
    expect(life.tick(1_000).submitted).toEqual(['submit update', 'submit update']);
    expect(life.lastInput).toBe('1.2.update');
  });

  it('RS8 nothing is sent while a cancelled text may still arrive', () => {
    const life = cycling().tick(1_000).stop().start().ready('screen').tick(600_000);
    expect([life.submitted.length, life.known.run?.block?.reason]).toEqual([1, 'text_pending']);
    expect(life.deliver('failed').tick(31_000).submitted).toHaveLength(2);
    const stopped = cycling().tick(1_000).stop().forget().meet({ kind: 'restored' });
    expect(stopped.done).toEqual(['find_delivery']);
  });

  it('RS16 a late report on another text changes nothing', () => {
    const life = cycling().tick(1_000).deliver('failed').tick(31_000);
    life.meet({ kind: 'delivery', input: '1.1.update', delivery: 'delivered', detail: null });
    expect([life.name, life.known.cycles]).toEqual(['sending_update', 2]);
  });

  it('RS9 work that begins before the text is sent cancels the cycle', () => {
    const life = cycling().tick(500).working();
    expect(life.said).toEqual(['cycle_done cancelled', 'state watching']);
    expect(life.tick(60_000).submitted).toEqual([]);
  });

  it.each(['sending_clear', 'sending_init'])('RS9 work delays %s', (name) => {
    const life = cycling().step();
    if (name === 'sending_init') life.step();
    expect(life.name).toBe(name);
    const sent = life.submitted.length;
    life.working().tick(120_000);
    expect([life.name, life.submitted.length]).toEqual([name, sent]);
    expect(life.known.run?.block?.reason).toBe('working');
    expect(life.ready().tick(5_000).submitted).toHaveLength(sent + 1);
  });

  it('RS9 work that begins while the text is being delivered counts as its own', () => {
    const life = cycling().tick(1_000).working();
    expect(life.name).toBe('sending_update');
    expect(life.deliver().name).toBe('waiting_update');
  });
});

describe('done', () => {
  it.each([
    ['the line that ends a turn', (life: RespawnLife) => life.completes()],
    ['the word of the client', (life: RespawnLife) => life.working().ready()],
    ['the Stop hook', (life: RespawnLife) => life.hook('stop')],
    ['the idle hook', (life: RespawnLife) => life.hook('idle')],
    ['the prompt', (life: RespawnLife) => life.output({ isPrompt: true })],
  ])('RS6 a step is done after %s and 10 s of silence', (_, show) => {
    const life = cycling().tick(1_000).deliver().tick(5_000);
    show(life).tick(9_999);
    expect(life.name).toBe('waiting_update');
    life.tick(1);
    expect(life.name).toBe('sending_clear');
    const done = life.events.find(({ type }) => type === 'respawn.step_done');
    expect(done?.data).toMatchObject({ step: 'update', seconds: 15 });
  });

  it('RS6 a step without any sign is done after silence and its confirmation', () => {
    const life = cycling().tick(1_000).deliver().tick(39_999);
    expect(life.name).toBe('waiting_update');
    expect(life.tick(1).name).toBe('sending_clear');
  });

  it('RS6 TC-001 work interrupts the confirmation of a step', () => {
    const life = cycling().tick(1_000).deliver().completes().tick(9_000).working().tick(10_000);
    expect(life.name).toBe('waiting_update');
    expect(life.ready().tick(10_000).name).toBe('sending_clear');
  });

  it('RS6 TC-002 output restarts the confirmation of a step', () => {
    const life = cycling().tick(1_000).deliver().completes().tick(9_000).text().tick(9_999);
    expect(life.name).toBe('waiting_update');
    expect(life.tick(1).name).toBe('sending_clear');
  });

  it('RS6 a redraw does not restart it', () => {
    const life = cycling().tick(1_000).deliver().completes().tick(9_000);
    life.output({ isPrompt: true }).output().tick(1_000);
    expect(life.name).toBe('sending_clear');
  });

  it('RS6 STS-007 the fallback ends clear after 10 s', () => {
    const life = cycling().step().tick(1_000).deliver();
    expect(life.tick(9_999).name).toBe('waiting_clear');
    expect(life.tick(1).name).toBe('sending_init');
  });

  it('RS6 STS-008 the prompt ends clear at once, and the fallback with it', () => {
    const life = cycling().step().tick(1_000).deliver().tick(2_000).output({ isPrompt: true });
    expect(life.name).toBe('sending_init');
    expect(life.tick(500).name).toBe('sending_init');
    expect(life.submitted).toEqual(['submit update', 'submit clear']);
  });

  it.each(['limited', 'unknown'] as const)(
    'RS6 an agent that is %s shows no end of a step',
    (state) => {
      const life = cycling().tick(1_000).deliver().working().agent(state).tick(29_000);
      expect(life.known.visit).toMatchObject({ due: { step_confirm: null } });
    },
  );

  it('RS9 a question during a step delays the next one until it is answered', () => {
    const life = cycling().tick(1_000).deliver().working();
    life.agent('waiting', { cause: 'question', detail: 'Which database?' }).tick(3_600_000);
    expect([life.name, life.known.run?.block?.reason]).toEqual([
      'waiting_update',
      'waiting_for_person',
    ]);
    expect(life.working().ready().tick(10_000).name).toBe('sending_clear');
  });

  it('RS9 the end of the agent ends the cycle', () => {
    const life = cycling().tick(1_000).deliver().agent('exited');
    expect(life.said.slice(-2)).toEqual(['cycle_done agent_gone', 'state watching']);
    expect(life.tick(600_000).submitted).toHaveLength(1);
  });

  it('RS30 a stop during the pause before a step sends nothing: STS-006', () => {
    const life = cycling().tick(500).stop().tick(3_600_000);
    expect([life.name, life.submitted]).toEqual(['stopped', []]);
  });
});
