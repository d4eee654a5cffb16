/** The configuration of respawn: its keys, what is refused, and when a change has its effect. */
import { describe, expect, it } from 'vitest';
import {
  changeConfig,
  DEFAULT_RESPAWN_CONFIG,
  RespawnConfig,
  RespawnConfigChange,
  RespawnStart,
} from '../../../shared/schema/loops/respawn.ts';
import { RESPAWN_NUMBERS } from '../../../shared/rules/respawn/respawn-keys.ts';
import { RESPAWN_PRESETS } from '../../../shared/rules/respawn/respawn-presets.ts';
import { confirmMs } from '../../../server/respawn/machine/confirmation.ts';
import { RespawnLife } from '../../support/respawn/respawn-life.ts';

const cycling = () => RespawnLife.plain().working().ready().tick(3_000).forget();

describe('configuration', () => {
  it('RS33 every number has a default within its range', () => {
    for (const [key, { standard, least, most }] of Object.entries(RESPAWN_NUMBERS)) {
      expect([key, least <= standard && standard <= most]).toEqual([key, true]);
      for (const value of [least - 1, most + 1, standard + 0.5, Number.NaN, String(standard)]) {
        expect(RespawnConfigChange.safeParse({ [key]: value }).success).toBe(false);
      }
    }
  });

  it('RS33 unknown keys are refused', () => {
    expect(RespawnConfigChange.safeParse({ idle_timeout: 5_000 }).success).toBe(false);
    expect(RespawnConfig.safeParse({ ...DEFAULT_RESPAWN_CONFIG, more: 1 }).success).toBe(false);
  });

  it('RS33 keys left out or undefined change nothing', () => {
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
  ])('RS33 %s is refused', (_, change) => {
    expect(() => changeConfig(DEFAULT_RESPAWN_CONFIG, change)).toThrow();
  });

  it.each(['line one\nline two', 'ünïcödé 日本語 🎉', '$& `rm -rf` "quoted"'])(
    'RS34 a text is sent exactly as written: %s',
    (text) => {
      const life = RespawnLife.plain({ update_prompt: text }).completes().tick(11_000);
      expect(life.effects.at(-1)).toMatchObject({ kind: 'submit', text });
    },
  );

  it.each(RESPAWN_PRESETS)('RS33 the preset $id is a valid change', ({ change, minutes }) => {
    expect(changeConfig(DEFAULT_RESPAWN_CONFIG, change)).toMatchObject(change);
    expect(RespawnStart.parse({ config: change, minutes })).toEqual({ config: change, minutes });
  });

  it('RS33 a run lasts from 1 to 14,400 minutes, or until it is stopped', () => {
    expect(RespawnStart.parse({})).toEqual({});
    for (const minutes of [0, 14_401, 1.5, '60']) {
      expect(RespawnStart.safeParse({ minutes }).success).toBe(false);
    }
  });

  it('RS34 CC-002 a text that is changed before it is sent is the new one', () => {
    const life = RespawnLife.plain().completes().tick(10_500);
    life.configure({ update_prompt: 'Write it down.' }).tick(500);
    expect(life.effects.at(-1)).toMatchObject({ step: 'update', text: 'Write it down.' });
  });

  it('RS34 CC-003 a step that is turned off before its turn is left out', () => {
    const life = cycling().tick(1_000).deliver().configure({ send_clear: false });
    expect(life.working().ready().tick(10_000).name).toBe('sending_init');
  });

  it('RS34 CC-004 TC-005 a timer that runs keeps its length', () => {
    const life = RespawnLife.plain().completes().configure({ completion_confirm_ms: 60_000 });
    expect(life.tick(10_000).name).toBe('sending_update');
    const long = RespawnLife.plain({ no_output_timeout_ms: 600_000 }).tick(1_000);
    expect(long.configure({ no_output_timeout_ms: 5_000 }).tick(60_000).name).toBe('watching');
    expect(long.stop().tick(600_000).said.at(-1)).toBe('state stopped');
  });

  it('RS35 the confirmation is never longer than the silence that needs no other sign', () => {
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
  ])('RS35 the confirmation adapts: %s', (_, seconds, expected) => {
    const settled = seconds.map((each) => each * 1_000);
    expect(confirmMs({ config: DEFAULT_RESPAWN_CONFIG, settled })).toBe(expected);
    const config = changeConfig(DEFAULT_RESPAWN_CONFIG, { adaptive_confirm: false });
    expect(confirmMs({ config, settled })).toBe(10_000);
  });

  it('RS35 the adapted confirmation is the one that runs', () => {
    const life = RespawnLife.plain();
    for (let count = 0; count < 5; count += 1) life.completes().tick(8_000).text();
    expect(life.known.settled).toEqual([8_000, 8_000, 8_000, 8_000, 8_000]);
    life.completes().tick(9_599);
    expect(life.name).toBe('confirming_idle');
    expect(life.tick(1).name).toBe('sending_update');
    expect(life.known.settled).toHaveLength(6);
  });
});
