/** What the page says of respawn: layers, notices, log, and its two forms. */
import { describe, expect, it } from 'vitest';
import { configErrors, configOf, enteredOf } from '../../../web/lib/respawn/config-entry.ts';
import { FIELDS } from '../../../web/lib/respawn/config-fields.ts';
import { layerRows, nextTimer, shareOver, timerRows } from '../../../web/lib/respawn/layer-rows.ts';
import { logEntries } from '../../../web/lib/respawn/log-entries.ts';
import {
  changeOf,
  isCustomized,
  minutesOf,
  presetFacts,
  presetOf,
} from '../../../web/lib/respawn/preset-choice.ts';
import {
  isUntouched,
  lastMove,
  noticesOf,
  statusBadge,
} from '../../../web/lib/respawn/respawn-status.ts';
import { RESPAWN_PRESETS } from '../../../shared/rules/respawn/respawn-presets.ts';
import {
  changeConfig,
  DEFAULT_RESPAWN_CONFIG,
  RespawnView,
} from '../../../shared/schema/loops/respawn.ts';
import {
  RESPAWN_SCENES,
  respawnScene,
  type RespawnSceneName,
} from '../../support/respawn/respawn-scenes.ts';

describe('the layers', () => {
  const rowsOf = (name: RespawnSceneName, laterMs = 0) => {
    const { view, config, wallMs } = respawnScene(name);
    return layerRows(view, config, wallMs + laterMs);
  };
  const verdicts = (name: RespawnSceneName) =>
    rowsOf(name).map(({ layer, badge, counts }) => `${layer} ${badge.label} ${counts}`);

  it('RP3 each has a verdict and what it adds', () => {
    expect(verdicts('checking')).toEqual([
      'agent_state Idle 20',
      'hooks Unknown 0',
      'completion_line Idle 40',
      'ai_verdict Asked 0',
      'silence Idle 25',
      'token_stability Idle 20',
      'no_work Idle 15',
    ]);
  });

  it('RP3 visible work leaves nothing to add', () => {
    const rows = rowsOf('updating');
    expect(rows.map(({ counts }) => counts)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(rows.find(({ layer }) => layer === 'agent_state')?.badge.label).toBe('Working');
    expect(rows.find(({ layer }) => layer === 'no_work')?.badge.label).toBe('Working');
  });

  it('RP3 an agent that waits does not work, and a check that is off says why', () => {
    expect(verdicts('needs_person')[0]).toBe('agent_state Not idle 0');
    const verdict = rowsOf('check_off').find(({ layer }) => layer === 'ai_verdict');
    expect([verdict?.badge.label, verdict?.text]).toEqual([
      'Off',
      'Off: no answer within the time limit',
    ]);
  });

  it('RP3 ages and countdowns follow the clock', () => {
    const silence = (ms: number) => rowsOf('confirming', ms).find((row) => row.layer === 'silence');
    expect(silence(0)?.text).toBe('No output for 6 s');
    expect(silence(5_000)?.text).toBe('No output for 11 s');
    const texts = rowsOf('confirming').map(({ layer, text }) => `${layer}: ${text}`);
    expect(texts).toContain('completion_line: ✻ Worked for 2m 46s, 6 s ago, by its terminal');
    expect(texts.find((text) => text.startsWith('token'))).toMatch(
      /^token_stability: \d{3},\d{3} tokens, for \d+ \w+, by its terminal$/,
    );
    const { view, wallMs } = respawnScene('confirming');
    const left = (ms: number) => timerRows(view, wallMs + ms)[0];
    expect(left(0)).toMatchObject({ timer: 'completion_confirm', seconds: 9 });
    expect(left(60_000)?.seconds).toBe(0);
    expect(nextTimer(view)?.timer).toBe('completion_confirm');
    expect(shareOver(view.since, nextTimer(view)?.ends_at ?? null, wallMs)).toBeCloseTo(0.4);
    expect(shareOver(view.since, null, wallMs)).toBe(null);
  });
});

describe('the notices', () => {
  const EXPECTED: Record<RespawnSceneName, string[]> = {
    untouched: ['Stopped: Start it to continue.'],
    watching: [],
    confirming: [],
    checking: [],
    updating: [],
    initializing: [],
    paused: ['Paused by mia: Resume it to continue.'],
    quota: ['Waiting for quota: Continues after the reset.'],
    circuit_open: ['No progress: Tries one cycle after the pause.'],
    check_off: ['AI idle check off: Turn it on again once the cause is fixed.'],
    needs_person: ['Waiting for a person: Answer the agent.'],
    time_over: ['Time limit reached: Start it to continue.'],
    stopped: ['Stopped by mia: Start it to continue.'],
  };

  it.each(RESPAWN_SCENES)('RP5 the reason and the next step: %s', (name) => {
    const { view, events } = respawnScene(name);
    expect(RespawnView.strict().parse(view)).toEqual(view);
    const notices = noticesOf(view, lastMove(events));
    const expected = EXPECTED[name];
    expect(notices.map(({ title }) => title)).toEqual(expected.map((line) => line.split(':')[0]));
    for (const [index, { text }] of notices.entries()) {
      expect(text.endsWith(expected[index]?.split(': ')[1] ?? '-')).toBe(true);
    }
  });

  it('RP5 a limit has its end and its evidence', () => {
    const { view } = respawnScene('quota');
    const [notice] = noticesOf(view, null);
    expect(notice).toMatchObject({ until: view.block?.until, since: view.block?.since });
    expect(notice?.evidence[0]?.lines).toContain("You've hit your 5-hour limit");
  });

  it('RP5 only what a person must do is red', () => {
    const tones = RESPAWN_SCENES.map((name) => [name, statusBadge(respawnScene(name).view).tone]);
    expect(tones.filter(([, tone]) => tone === 'fail')).toEqual([['needs_person', 'fail']]);
    expect(statusBadge(respawnScene('watching').view).label).toBe('Working');
  });

  it('RP8 respawn that was only configured is not started yet', () => {
    const untouched = RESPAWN_SCENES.filter((name) => isUntouched(respawnScene(name).view));
    expect(untouched).toEqual(['untouched']);
  });
});

it('RP9 the log leaves out state changes that the event of a step reports', () => {
  const { events } = respawnScene('initializing');
  const states = logEntries(events).flatMap((event) =>
    event.type === 'respawn.state' ? [event.data.state] : [],
  );
  expect([...new Set(states)].sort()).toEqual([
    'confirming_idle',
    'monitoring_init',
    'sending_update',
    'watching',
  ]);
  const others = events.filter(({ type }) => type !== 'respawn.state');
  expect(logEntries(others)).toEqual(others);
});

describe('the presets', () => {
  it.each(RESPAWN_PRESETS)('RP6 $id is recognized in the configuration it creates', (preset) => {
    const config = changeConfig(DEFAULT_RESPAWN_CONFIG, changeOf(preset.id) ?? {});
    expect(presetOf(config)).toBe(preset.id);
    expect(isCustomized(config)).toBe(false);
    expect(minutesOf(preset.id)).toBe(preset.minutes);
  });

  it('RP6 a preset resets what another one set, and keeps the texts of steps', () => {
    const before = changeConfig(DEFAULT_RESPAWN_CONFIG, {
      ...changeOf('team-lead'),
      update_prompt: 'Write it down.',
    });
    const after = changeConfig(before, changeOf('solo-work') ?? {});
    expect(after).toMatchObject({ send_clear: true, update_prompt: 'Write it down.' });
    expect(presetOf(after)).toBe('solo-work');
  });

  it('RP6 an own configuration can be started as it is', () => {
    const own = changeConfig(DEFAULT_RESPAWN_CONFIG, { breaker_after_cycles: 7 });
    expect([isCustomized(own), presetOf(own), changeOf('configured')]).toEqual([
      true,
      'configured',
      undefined,
    ]);
    expect(isCustomized(DEFAULT_RESPAWN_CONFIG)).toBe(false);
    expect(presetFacts('configured', own)).toEqual([
      'Idle after 30 s of silence',
      'confidence 65',
      'update, clear, init',
      'pauses after 7 cycles without progress',
    ]);
    expect(presetFacts('overnight', null)[2]).toBe('update, clear, init, kickstart');
  });
});

describe('the configuration', () => {
  it('RP7 each key is one field', () => {
    expect(FIELDS.map(({ key }) => key).sort()).toEqual(Object.keys(DEFAULT_RESPAWN_CONFIG).sort());
    expect(FIELDS.filter(({ label, hint }) => label === '' || hint === '')).toEqual([]);
    expect(FIELDS.filter(({ hint }) => /`|_ms|_prompt/.test(hint))).toEqual([]);
    expect(new Set(FIELDS.map(({ label }) => label)).size).toBe(FIELDS.length);
  });

  it('RP7 is the same again after it was shown, for each preset', () => {
    for (const { change } of [{ change: {} }, ...RESPAWN_PRESETS]) {
      const config = changeConfig(DEFAULT_RESPAWN_CONFIG, change);
      expect(configOf(enteredOf(config))).toEqual(config);
      expect(configErrors(enteredOf(config))).toEqual({});
    }
  });

  it('RP7 an error names the bounds in the unit that is shown', () => {
    const entered = enteredOf(DEFAULT_RESPAWN_CONFIG);
    const wrong = {
      ...entered,
      no_output_timeout_ms: 601,
      breaker_after_cycles: 1.5,
      min_idle_confidence: null,
      breaker_cooldown_ms: 0,
      update_prompt: '  ',
      idle_check_model: '--help',
      adaptive_max_ms: 4,
    };
    expect(configErrors(wrong)).toEqual({
      no_output_timeout_ms: 'From 5 to 600 s.',
      breaker_after_cycles: 'From 1 to 100 cycles.',
      min_idle_confidence: 'From 0 to 100 points.',
      breaker_cooldown_ms: 'From 1 to 1440 min.',
      update_prompt: 'Enter a text.',
      idle_check_model: 'A model name, such as haiku.',
      adaptive_max_ms: 'Must not be less than the shortest confirmation.',
    });
  });

  it('RP7 an empty optional text is none', () => {
    const entered = { ...enteredOf(DEFAULT_RESPAWN_CONFIG), kickstart_prompt: ' ' };
    expect(configOf(entered).kickstart_prompt).toBe(null);
  });
});
