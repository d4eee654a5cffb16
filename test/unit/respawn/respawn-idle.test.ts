/** When an agent counts as idle: the layers and their confirmation. */
import { describe, expect, it } from 'vitest';
import { confidenceOf, readLayers } from '../../../server/respawn/detection/idle-layers.ts';
import { freshSigns, type Signs } from '../../../server/respawn/detection/signs.ts';
import { RespawnLife } from '../../support/respawn/respawn-life.ts';

const THRESHOLDS = { quietMs: 10_000, workingAbsenceMs: 8_000 };

describe('layers', () => {
  const agent = (state: string, witness = 'record') =>
    ({ state, witness, cause: 'none', detail: null, since: '', until: null }) as Signs['agent'];
  const confidence = (signs: Partial<Signs>, nowMs = 0) =>
    confidenceOf(readLayers({ ...freshSigns(0), ...signs }, nowMs, THRESHOLDS));

  it.each([
    ['the client’s own word', { agent: agent('ready') }, 0, 100],
    ['a hook', { hook: { kind: 'stop', atMs: 0 } }, 0, 100],
    ['a screen that shows the prompt', { agent: agent('ready', 'screen') }, 0, 35],
    ['the line that ends a turn', { completion: { atMs: 0, line: '' } }, 0, 55],
    ['that line and silence', { completion: { atMs: 0, line: '' } }, 10_000, 80],
    ['stable tokens', { tokens: { count: 5, sinceMs: 0 } }, 10_000, 60],
    ['half a minute of silence', {}, 30_000, 45],
    ['an hour of silence', {}, 3_600_000, 60],
    ['nothing', {}, 0, 15],
  ] as const)('RS10 %s weighs what it should', (_, signs, nowMs, expected) => {
    expect(confidence(signs as Partial<Signs>, nowMs)).toBe(expected);
  });

  it.each([
    ['a turn', { agent: agent('working') }],
    ['a compaction', { agent: agent('compacting') }],
    ['a background shell', { agent: agent('background') }],
    ['a subagent', { background: { subagents: 1, shells: 0, teammates: 0 } }],
    ['a teammate', { background: { subagents: 0, shells: 0, teammates: 2 } }],
    ['a spinner a moment ago', { work: { atMs: 59_000, line: '✻ Cooking…', isOver: false } }],
  ])('RS11 %s overrules every layer', (_, signs) => {
    const all = { completion: { atMs: 0, line: '' }, hook: { kind: 'stop', atMs: 0 } } as const;
    expect(confidence({ agent: agent('ready'), ...all, ...signs }, 60_000)).toBe(0);
  });

  it('RS10 each layer names its witness and its evidence', () => {
    for (const layer of readLayers(freshSigns(0), 60_000, THRESHOLDS)) {
      expect(layer.lines.join('')).not.toBe('');
      expect(layer.witness).not.toBe('');
    }
  });
});

describe('confirmation', () => {
  it('RS10 the line that ends a turn is confirmed by 10 s of silence', () => {
    const life = RespawnLife.plain().completes();
    expect(life.name).toBe('confirming_idle');
    expect(life.tick(9_999).name).toBe('confirming_idle');
    expect(life.tick(1).said.at(-1)).toBe('state sending_update');
  });

  it.each([
    ['new text', (life: RespawnLife) => life.text()],
    ['a working pattern', (life: RespawnLife) => life.output({ work: '✻ Cooking…' })],
    ['an agent at work', (life: RespawnLife) => life.working()],
    ['a question', (life: RespawnLife) => life.agent('waiting', { cause: 'question' })],
    ['a turn that begins', (life: RespawnLife) => life.hook('prompt')],
    ['an agent that exits', (life: RespawnLife) => life.agent('exited')],
  ])('RS12 %s cancels it', (_, happen) => {
    const life = RespawnLife.plain().completes().tick(9_000);
    expect(happen(life).name).toBe('watching');
    expect(life.tick(1_000).submitted).toEqual([]);
  });

  it('RS12 a redraw cancels nothing', () => {
    const life = RespawnLife.plain().completes().tick(9_000).output().output({ isPrompt: true });
    expect(life.tick(1_000).name).toBe('sending_update');
  });

  it('RS12 a second line restarts it', () => {
    const life = RespawnLife.plain().completes().tick(9_000).completes();
    expect(life.tick(9_999).name).toBe('confirming_idle');
    expect(life.tick(1).name).toBe('sending_update');
  });

  it('RS13 below the confidence silence has to last until it weighs enough', () => {
    const life = RespawnLife.plain({ min_idle_confidence: 70 }).text().tick(30_000);
    expect([life.name, life.said]).toEqual(['watching', []]);
    expect(life.tick(29_999).name).toBe('watching');
    expect(life.tick(1).name).toBe('sending_update');
  });

  it('RS13 a report that the client withdraws confirms nothing', () => {
    const life = RespawnLife.plain().working().ready().tick(1_000).ready('screen').tick(2_000);
    expect(life.name).toBe('confirming_idle');
    expect(life.tick(26_999).name).toBe('confirming_idle');
    expect(life.tick(1).name).toBe('sending_update');
  });

  it('RS10 the client’s own report is confirmed by 3 s', () => {
    const life = RespawnLife.watching().working().ready();
    expect(life.name).toBe('confirming_idle');
    expect(life.tick(2_999).name).toBe('confirming_idle');
    expect(life.tick(1).name).toBe('sending_update');
    expect(life.done).toEqual([]);
  });

  it('RS10 a Stop hook shortens a confirmation that runs', () => {
    const life = RespawnLife.plain().completes().tick(1_000).hook('stop');
    expect(life.tick(3_000).name).toBe('sending_update');
    const late = RespawnLife.plain().completes().tick(9_000).hook('stop');
    expect(late.tick(1_000).name).toBe('sending_update');
  });

  it('RS10 the idle hook decides at once', () => {
    expect(RespawnLife.watching().hook('idle').name).toBe('sending_update');
    expect(RespawnLife.watching().completes().hook('idle').name).toBe('sending_update');
  });

  it('RS10 an agent that was idle before it was watched counts by silence', () => {
    const life = new RespawnLife({ idle_check_enabled: false }).start().ready();
    expect(life.tick(29_999).name).toBe('watching');
    expect(life.tick(1).name).toBe('sending_update');
  });

  it('RS10 all evidence for a cycle is in its event', () => {
    const life = RespawnLife.plain().completes().tick(10_000);
    const { data } = life.events.at(-1) ?? {};
    const lines = (data as { evidence: { lines: string[] }[] }).evidence.flatMap(
      (one) => one.lines,
    );
    expect(lines).toEqual([
      'completion confirm',
      'agent_state: ready',
      'completion_line: ✻ Worked for 2m 46s',
      'silence: 10 s without output',
      'no_work: no work visible',
    ]);
  });
});
