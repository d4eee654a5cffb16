/** What people, a restart and the clock decide about a session that is kept going. */
import { describe, expect, it } from 'vitest';
import { nextDeadline } from '../../../server/respawn/machine/transition.ts';
import { respawnNeed } from '../../../server/respawn/respawn-need.ts';
import { RespawnLife } from '../../support/respawn/respawn-life.ts';

const cycling = () => RespawnLife.plain().working().ready().tick(3_000).forget();

describe('start and stop', () => {
  it('RS30 starts, once', () => {
    const life = new RespawnLife().start();
    expect(life.said).toEqual(['state watching']);
    expect(life.events[0]?.data).toMatchObject({ before: 'stopped', author: 'mia' });
    expect(life.start().said).toHaveLength(1);
  });

  it('RS58 a start without an agent says so at once, until there is one', () => {
    const life = new RespawnLife({ idle_check_enabled: false });
    life.meet({ kind: 'start', author: 'mia', minutes: null, hasAgent: false });
    expect([life.name, life.said.at(-1)]).toEqual(['watching', 'blocked no_agent']);
    expect(respawnNeed(life.known)).toMatchObject({ reason: 'agent_not_started' });
    // Its first observation finds none either.
    life.see({ agent: null }).tick(3_600_000);
    expect(life.said.filter((each) => each.startsWith('blocked'))).toHaveLength(1);
    life.ready('screen');
    expect([life.known.run?.block, respawnNeed(life.known)]).toEqual([null, null]);
    expect(life.tick(31_000).submitted).toEqual(['submit update']);
  });

  it('RS30 does not start while it is turned off', () => {
    expect(new RespawnLife({ enabled: false }).start().name).toBe('stopped');
  });

  it('RS30 a stop is final, after any later inputs', () => {
    const life = RespawnLife.watching().completes().stop().forget();
    life.completes().hook('stop').hook('idle').working().ready().text().resume();
    life.meet({ kind: 'restored' }).tick(3_600_000);
    expect([life.name, life.said, life.done]).toEqual(['stopped', [], []]);
    expect(life.known.visit).toMatchObject({ by: 'person', author: 'mia' });
  });

  it('RS30 a stop cancels a text that is not typed yet, and a check', () => {
    expect(cycling().tick(1_000).stop().done).toEqual(['submit update', 'withdraw']);
    expect(RespawnLife.watching().text().tick(10_000).stop().done.at(-1)).toBe('drop_check');
  });

  it('RS30 CO-001 after a stop it starts from the beginning', () => {
    const life = cycling().tick(1_000).stop().deliver('failed').start();
    life.ready('screen');
    expect([life.name, life.known.cycles]).toEqual(['watching', 1]);
    expect(life.known.run?.recoveries).toBe(0);
    life.tick(31_000);
    expect(life.lastInput).toBe('2.2.update');
  });

  it('RS30 CC-001 turning it off stops it for good', () => {
    const life = cycling().configure({ enabled: false });
    expect(life.known.visit).toMatchObject({ status: 'stopped', by: 'config' });
    expect(life.start().name).toBe('stopped');
  });

  it('RS30 without its session it ends', () => {
    const life = cycling().tick(1_000);
    life.meet({ kind: 'owner_gone', detail: 'the session was closed' });
    expect(life.state).toBeNull();
    expect(life.said.slice(-2)).toEqual(['cycle_done stopped', 'state stopped']);
    expect(life.done.at(-1)).toBe('withdraw');
    const stopped = new RespawnLife().meet({ kind: 'owner_gone', detail: '' });
    expect([stopped.state, stopped.said]).toEqual([null, []]);
  });

  it('RS31 TC-006 a timed run stops itself, and the time left never falls below 0', () => {
    const life = new RespawnLife().start(1).ready().tick(59_999);
    expect(life.known.run?.endsMs).toBe(60_000);
    life.tick(1);
    expect(life.known.visit).toMatchObject({ status: 'stopped', by: 'clock' });
    expect(life.tick(600_000).submitted).toHaveLength(1);
  });
});

describe('pause', () => {
  it('RS29 a pause keeps the time left of each timer', () => {
    const life = RespawnLife.plain().completes().tick(6_000).pause().tick(3_600_000).resume();
    expect(life.tick(3_999).name).toBe('confirming_idle');
    expect(life.tick(1).name).toBe('sending_update');
  });

  it('RS31 a pause holds a timed run', () => {
    const life = new RespawnLife().start(1).tick(30_000).pause().tick(3_600_000).resume();
    expect(life.tick(29_999).name).toBe('watching');
    expect(life.tick(1).name).toBe('stopped');
  });

  it('RS29 nothing is sent while it is paused, on any input', () => {
    const life = RespawnLife.plain().pause().forget();
    life.completes().hook('stop').hook('idle').working().ready().text().tick(600_000);
    expect([life.name, life.said, life.done]).toEqual(['watching', [], []]);
    expect(nextDeadline(life.known)).toBeNull();
    expect(life.resume().tick(30_000).name).toBe('sending_update');
  });

  it('RS29 a pause cancels a text that is not typed yet; a typed one continues after it', () => {
    const life = cycling().tick(1_000).pause();
    expect(life.done).toEqual(['submit update', 'withdraw']);
    expect(life.deliver().tick(600_000).name).toBe('waiting_update');
    expect(life.resume().working().ready().tick(10_000).name).toBe('sending_clear');
    const failed = cycling().tick(1_000).pause().deliver('failed');
    expect([failed.name, failed.tick(600_000).submitted.length]).toEqual(['watching', 1]);
  });

  it('RS29 CO-004 a pause cancels the check that runs', () => {
    const life = RespawnLife.watching().text().tick(10_000).pause();
    expect([life.name, life.done.at(-1)]).toEqual(['watching', 'drop_check']);
    expect(life.answer({ verdict: 'IDLE', reasoning: '' }).name).toBe('watching');
  });

  it('RS29 STS-010 it resumes in the state it was paused in', () => {
    const life = cycling().step().tick(1_000).deliver().pause().tick(600_000).resume();
    expect(life.tick(9_999).name).toBe('waiting_clear');
    expect(life.tick(1).name).toBe('sending_init');
  });

  it('RS29 a timer that is over at the moment of a pause is not lost', () => {
    const life = RespawnLife.plain().completes();
    life.clockMs = 10_000;
    expect(life.pause().tick(60_000).name).toBe('confirming_idle');
    expect(life.resume().name).toBe('sending_update');
  });

  it('RS29 pausing twice, and resuming while it runs, change nothing', () => {
    const paused = RespawnLife.plain().completes().pause();
    const known = paused.known;
    expect(paused.tick(5_000).pause().known).toEqual(known);
    const running = RespawnLife.plain().completes();
    const before = running.known;
    expect(running.resume().known).toEqual(before);
  });

  it('RS29 a stop during a pause keeps the clock', () => {
    const life = RespawnLife.plain()
      .tick(1_000)
      .pause()
      .tick(50_000)
      .stop()
      .start()
      .ready('screen');
    expect(life.tick(29_999).name).toBe('watching');
    expect(life.tick(1).name).toBe('sending_update');
  });
});

describe('a restart of the daemon', () => {
  it('RS32 sends nothing for two minutes', () => {
    const life = RespawnLife.plain().meet({ kind: 'restored' }).ready('screen').tick(119_999);
    expect(life.submitted).toEqual([]);
    expect(life.known.run?.block).toMatchObject({ reason: 'restored' });
    expect(life.tick(30_001).name).toBe('sending_update');
  });

  it('RS31 keeps the time left of a timed run and of the timers', () => {
    const life = new RespawnLife().start(5).tick(240_000).meet({ kind: 'restored' });
    expect(life.tick(59_999).name).toBe('watching');
    expect(life.tick(1).name).toBe('stopped');
  });

  it('RS32 asks for the delivery of a pending text, and never sends it a second time', () => {
    const life = cycling().tick(1_000).meet({ kind: 'restored' });
    expect(life.done).toEqual(['submit update', 'find_delivery']);
    life.ready('screen').deliver('unknown');
    expect([life.name, life.tick(119_000).submitted.length]).toEqual(['watching', 1]);
    const delivered = cycling().tick(1_000).meet({ kind: 'restored' }).deliver();
    expect(delivered.name).toBe('waiting_update');
  });

  it('RS32 forgets earlier observations and running checks', () => {
    const life = RespawnLife.watching().text().tick(10_000).meet({ kind: 'restored' });
    expect([life.name, life.known.idleChecker.status]).toEqual(['watching', 'ready']);
    expect(life.known.run?.signs.agent).toBeNull();
    expect(life.answer({ verdict: 'IDLE', reasoning: '' }).name).toBe('watching');
  });

  it('RS29 stays paused', () => {
    const life = RespawnLife.plain().pause().meet({ kind: 'restored' }).ready().tick(600_000);
    expect([life.name, life.done]).toEqual(['watching', []]);
  });
});
