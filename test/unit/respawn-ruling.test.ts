/** What people, the configuration, a restart and the clock decide about a session that is kept going. */
import { describe, expect, it } from 'vitest';
import {
  changeConfig,
  DEFAULT_RESPAWN_CONFIG,
  RespawnConfig,
  RespawnConfigChange,
} from '../../shared/schema/respawn.ts';
import { RESPAWN_NUMBERS } from '../../shared/rules/respawn-keys.ts';
import { RESPAWN_PRESETS } from '../../shared/rules/respawn-presets.ts';
import { nextDeadline } from '../../server/respawn/machine/transition.ts';
import { confirmMs } from '../../server/respawn/machine/confirmation.ts';
import { RespawnLife } from '../support/respawn-life.ts';

const cycling = () => RespawnLife.plain().working().ready().tick(3_000).forget();

describe('start and stop', () => {
  it('RS10 starts, once', () => {
    const life = new RespawnLife().start();
    expect(life.said).toEqual(['state watching']);
    expect(life.events[0]?.data).toMatchObject({ before: 'stopped', author: 'mia' });
    expect(life.start().said).toHaveLength(1);
  });

  it('RS10 does not start while it is turned off', () => {
    expect(new RespawnLife({ enabled: false }).start().name).toBe('stopped');
  });

  it('RS10 a stop is final whatever comes after it', () => {
    const life = RespawnLife.watching().completes().stop().forget();
    life.completes().hook('stop').hook('idle').working().ready().text().resume();
    life.meet({ kind: 'restored' }).tick(3_600_000);
    expect([life.name, life.said, life.done]).toEqual(['stopped', [], []]);
    expect(life.known.visit).toMatchObject({ by: 'person', author: 'mia' });
  });

  it('RS10 a stop takes back what is not typed yet, and cancels a check', () => {
    expect(cycling().tick(1_000).stop().done).toEqual(['submit update', 'withdraw']);
    expect(RespawnLife.watching().text().tick(10_000).stop().done.at(-1)).toBe('drop_check');
  });

  it('RS10 CO-001 after a stop it starts from the beginning', () => {
    const life = cycling().tick(1_000).stop().deliver('failed').start();
    life.ready('screen');
    expect([life.name, life.known.cycles]).toEqual(['watching', 1]);
    expect(life.known.run?.recoveries).toBe(0);
    life.tick(31_000);
    expect(life.lastInput).toBe('2.2.update');
  });

  it('RS10 CC-001 turning it off stops it for good', () => {
    const life = cycling().configure({ enabled: false });
    expect(life.known.visit).toMatchObject({ status: 'stopped', by: 'config' });
    expect(life.start().name).toBe('stopped');
  });

  it('RS10 without its session it ends', () => {
    const life = cycling().tick(1_000);
    life.meet({ kind: 'owner_gone', detail: 'the session was closed' });
    expect(life.state).toBeNull();
    expect(life.said.slice(-2)).toEqual(['cycle_done stopped', 'state stopped']);
    expect(life.done.at(-1)).toBe('withdraw');
    const stopped = new RespawnLife().meet({ kind: 'owner_gone', detail: '' });
    expect([stopped.state, stopped.said]).toEqual([null, []]);
  });

  it('RS10 TC-006 a timed run stops itself, and what is left never falls below 0', () => {
    const life = new RespawnLife().start(1).ready().tick(59_999);
    expect(life.known.run?.endsMs).toBe(60_000);
    life.tick(1);
    expect(life.known.visit).toMatchObject({ status: 'stopped', by: 'clock' });
    expect(life.tick(600_000).submitted).toHaveLength(1);
  });
});

describe('pause', () => {
  it('RS10 a pause keeps what is left of each timer', () => {
    const life = RespawnLife.plain().completes().tick(6_000).pause().tick(3_600_000).resume();
    expect(life.tick(3_999).name).toBe('confirming_idle');
    expect(life.tick(1).name).toBe('sending_update');
  });

  it('RS10 a pause holds a timed run', () => {
    const life = new RespawnLife().start(1).tick(30_000).pause().tick(3_600_000).resume();
    expect(life.tick(29_999).name).toBe('watching');
    expect(life.tick(1).name).toBe('stopped');
  });

  it('RS10 nothing is sent while it is paused, whatever happens', () => {
    const life = RespawnLife.plain().pause().forget();
    life.completes().hook('stop').hook('idle').working().ready().text().tick(600_000);
    expect([life.name, life.said, life.done]).toEqual(['watching', [], []]);
    expect(nextDeadline(life.known)).toBeNull();
    expect(life.resume().tick(30_000).name).toBe('sending_update');
  });

  it('RS10 a pause takes back what is not typed yet; what was typed goes on after it', () => {
    const life = cycling().tick(1_000).pause();
    expect(life.done).toEqual(['submit update', 'withdraw']);
    expect(life.deliver().tick(600_000).name).toBe('waiting_update');
    expect(life.resume().working().ready().tick(10_000).name).toBe('sending_clear');
    const failed = cycling().tick(1_000).pause().deliver('failed');
    expect([failed.name, failed.tick(600_000).submitted.length]).toEqual(['watching', 1]);
  });

  it('RS10 CO-004 a pause cancels the check that runs', () => {
    const life = RespawnLife.watching().text().tick(10_000).pause();
    expect([life.name, life.done.at(-1)]).toEqual(['watching', 'drop_check']);
    expect(life.answer({ verdict: 'IDLE', reasoning: '' }).name).toBe('watching');
  });

  it('RS10 STS-010 it resumes in the state it was paused in', () => {
    const life = cycling().step().tick(1_000).deliver().pause().tick(600_000).resume();
    expect(life.tick(9_999).name).toBe('waiting_clear');
    expect(life.tick(1).name).toBe('sending_init');
  });

  it('RS10 pausing twice and resuming what runs change nothing', () => {
    const paused = RespawnLife.plain().completes().pause();
    const known = paused.known;
    expect(paused.tick(5_000).pause().known).toEqual(known);
    const running = RespawnLife.plain().completes();
    const before = running.known;
    expect(running.resume().known).toEqual(before);
  });

  it('RS10 a stop during a pause keeps the clock', () => {
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
  it('RS10 sends nothing for two minutes', () => {
    const life = RespawnLife.plain().meet({ kind: 'restored' }).ready('screen').tick(119_999);
    expect(life.submitted).toEqual([]);
    expect(life.known.run?.block).toMatchObject({ reason: 'restored' });
    expect(life.tick(30_001).name).toBe('sending_update');
  });

  it('RS10 keeps what is left of a timed run and of the timers', () => {
    const life = new RespawnLife().start(5).tick(240_000).meet({ kind: 'restored' });
    expect(life.tick(59_999).name).toBe('watching');
    expect(life.tick(1).name).toBe('stopped');
  });

  it('RS10 asks what became of a text on its way, and sends it no second time', () => {
    const life = cycling().tick(1_000).meet({ kind: 'restored' });
    expect(life.done).toEqual(['submit update', 'find_delivery']);
    life.ready('screen').deliver('unknown');
    expect([life.name, life.tick(119_000).submitted.length]).toEqual(['watching', 1]);
    const delivered = cycling().tick(1_000).meet({ kind: 'restored' }).deliver();
    expect(delivered.name).toBe('waiting_update');
  });

  it('RS10 forgets what it saw and the checks that ran', () => {
    const life = RespawnLife.watching().text().tick(10_000).meet({ kind: 'restored' });
    expect([life.name, life.known.idleChecker.status]).toEqual(['watching', 'ready']);
    expect(life.known.run?.signs.agent).toBeNull();
    expect(life.answer({ verdict: 'IDLE', reasoning: '' }).name).toBe('watching');
  });

  it('RS10 stays paused', () => {
    const life = RespawnLife.plain().pause().meet({ kind: 'restored' }).ready().tick(600_000);
    expect([life.name, life.done]).toEqual(['watching', []]);
  });
});

describe('configuration', () => {
  it('RS11 every number has a default within its range', () => {
    for (const [key, { standard, least, most }] of Object.entries(RESPAWN_NUMBERS)) {
      expect([key, least <= standard && standard <= most]).toEqual([key, true]);
      for (const value of [least - 1, most + 1, standard + 0.5, Number.NaN, String(standard)]) {
        expect(RespawnConfigChange.safeParse({ [key]: value }).success).toBe(false);
      }
    }
  });

  it('RS11 unknown keys are refused', () => {
    expect(RespawnConfigChange.safeParse({ idle_timeout: 5_000 }).success).toBe(false);
    expect(RespawnConfig.safeParse({ ...DEFAULT_RESPAWN_CONFIG, more: 1 }).success).toBe(false);
  });

  it('RS11 what is left out or undefined changes nothing', () => {
    expect(changeConfig(DEFAULT_RESPAWN_CONFIG, { update_prompt: undefined })).toEqual(
      DEFAULT_RESPAWN_CONFIG,
    );
    const changed = changeConfig(DEFAULT_RESPAWN_CONFIG, { send_clear: false });
    expect(changed).toEqual({ ...DEFAULT_RESPAWN_CONFIG, send_clear: false });
  });

  it.each([
    ['an empty text', { update_prompt: ' ' }],
    ['a text that is too long', { init_prompt: 'x'.repeat(10_001) }],
    ['a model that is an option', { idle_check_model: '--allow-everything' }],
    ['a model with a blank', { plan_check_model: 'a b' }],
    ['bounds that cross', { adaptive_min_ms: 30_000, adaptive_max_ms: 5_000 }],
  ])('RS11 %s is refused', (_, change) => {
    expect(() => changeConfig(DEFAULT_RESPAWN_CONFIG, change)).toThrow();
  });

  it.each(['line one\nline two', 'ünïcödé 日本語 🎉', '$& `rm -rf` "quoted"'])(
    'RS11 a text is sent as it was written: %s',
    (text) => {
      const life = RespawnLife.plain({ update_prompt: text }).completes().tick(11_000);
      expect(life.effects.at(-1)).toMatchObject({ kind: 'submit', text });
    },
  );

  it.each(RESPAWN_PRESETS)('RS11 the preset $id is a valid change', ({ change, minutes }) => {
    expect(changeConfig(DEFAULT_RESPAWN_CONFIG, change)).toMatchObject(change);
    expect(minutes).toBeGreaterThan(0);
  });

  it('RS11 CC-002 a text that is changed before it is sent is the new one', () => {
    const life = RespawnLife.plain().completes().tick(10_500);
    life.configure({ update_prompt: 'Write it down.' }).tick(500);
    expect(life.effects.at(-1)).toMatchObject({ step: 'update', text: 'Write it down.' });
  });

  it('RS11 CC-003 a step that is turned off before its turn is left out', () => {
    const life = cycling().tick(1_000).deliver().configure({ send_clear: false });
    expect(life.working().ready().tick(10_000).name).toBe('sending_init');
  });

  it('RS11 CC-004 TC-005 a timer that runs keeps its length', () => {
    const life = RespawnLife.plain().completes().configure({ completion_confirm_ms: 60_000 });
    expect(life.tick(10_000).name).toBe('sending_update');
    const long = RespawnLife.plain({ no_output_timeout_ms: 600_000 }).tick(1_000);
    expect(long.configure({ no_output_timeout_ms: 5_000 }).tick(60_000).name).toBe('watching');
    expect(long.stop().tick(600_000).said.at(-1)).toBe('state stopped');
  });

  it('RS11 the confirmation is never longer than the silence that counts by itself', () => {
    const config = changeConfig(DEFAULT_RESPAWN_CONFIG, {
      completion_confirm_ms: 60_000,
      no_output_timeout_ms: 20_000,
    });
    expect(confirmMs({ config, settled: [] })).toBe(20_000);
  });

  it.each([
    ['4 samples', [10, 10, 10, 10], 10_000],
    ['5 of 10 s', [10, 10, 10, 10, 10], 12_000],
    ['the three quarters', [1, 2, 3, 4, 5, 6, 20, 20], 7_200],
    ['none below the least', [0, 0, 0, 0, 0], 5_000],
    ['none above the most', [60, 60, 60, 60, 60], 30_000],
  ])('RS11 the confirmation adapts: %s', (_, seconds, expected) => {
    const settled = seconds.map((each) => each * 1_000);
    expect(confirmMs({ config: DEFAULT_RESPAWN_CONFIG, settled })).toBe(expected);
    const config = changeConfig(DEFAULT_RESPAWN_CONFIG, { adaptive_confirm: false });
    expect(confirmMs({ config, settled })).toBe(10_000);
  });

  it('RS11 the adapted confirmation is the one that runs', () => {
    const life = RespawnLife.plain();
    for (let count = 0; count < 5; count += 1) life.completes().tick(8_000).text();
    expect(life.known.settled).toEqual([8_000, 8_000, 8_000, 8_000, 8_000]);
    life.completes().tick(9_599);
    expect(life.name).toBe('confirming_idle');
    expect(life.tick(1).name).toBe('sending_update');
    expect(life.known.settled).toHaveLength(6);
  });
});
