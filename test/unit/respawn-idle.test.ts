/** When an agent counts as idle: the layers, their confirmation, and the model that is asked. */
import { describe, expect, it } from 'vitest';
import { confidenceOf, readLayers } from '../../server/respawn/detection/idle-layers.ts';
import { freshSigns, type Signs } from '../../server/respawn/detection/signs.ts';
import { RespawnLife } from '../support/respawn-life.ts';

const THRESHOLDS = { quietMs: 10_000, workingAbsenceMs: 8_000 };

/** In `ai_checking`, by the pre-filter. */
function checking(change = {}): RespawnLife {
  const life = RespawnLife.watching(change).text().tick(10_000);
  expect([life.name, life.done]).toEqual(['ai_checking', ['ask idle']]);
  return life;
}

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
  ] as const)('RS4 %s weighs what it should', (_, signs, nowMs, expected) => {
    expect(confidence(signs as Partial<Signs>, nowMs)).toBe(expected);
  });

  it.each([
    ['a turn', { agent: agent('working') }],
    ['a compaction', { agent: agent('compacting') }],
    ['a background shell', { agent: agent('background') }],
    ['a subagent', { background: { subagents: 1, shells: 0, teammates: 0 } }],
    ['a teammate', { background: { subagents: 0, shells: 0, teammates: 2 } }],
    ['a spinner a moment ago', { work: { atMs: 59_000, line: '✻ Cooking…', isOver: false } }],
  ])('RS4 %s overrules every layer', (_, signs) => {
    const all = { completion: { atMs: 0, line: '' }, hook: { kind: 'stop', atMs: 0 } } as const;
    expect(confidence({ agent: agent('ready'), ...all, ...signs } as Partial<Signs>, 60_000)).toBe(
      0,
    );
  });

  it('RS4 each layer says by whom and by what', () => {
    for (const layer of readLayers(freshSigns(0), 60_000, THRESHOLDS)) {
      expect(layer.lines.join('')).not.toBe('');
      expect(layer.witness).not.toBe('');
    }
  });
});

describe('confirmation', () => {
  it('RS4 the line that ends a turn is confirmed by 10 s of silence', () => {
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
  ])('RS4 %s cancels it', (_, happen) => {
    const life = RespawnLife.plain().completes().tick(9_000);
    expect(happen(life).name).toBe('watching');
    expect(life.tick(1_000).submitted).toEqual([]);
  });

  it('RS4 a redraw cancels nothing', () => {
    const life = RespawnLife.plain().completes().tick(9_000).output().output({ isPrompt: true });
    expect(life.tick(1_000).name).toBe('sending_update');
  });

  it('RS4 a second line restarts it', () => {
    const life = RespawnLife.plain().completes().tick(9_000).completes();
    expect(life.tick(9_999).name).toBe('confirming_idle');
    expect(life.tick(1).name).toBe('sending_update');
  });

  it('RS4 below the confidence silence has to last until it weighs enough', () => {
    const life = RespawnLife.plain({ min_idle_confidence: 70 }).text().tick(30_000);
    expect([life.name, life.said]).toEqual(['watching', []]);
    expect(life.tick(29_999).name).toBe('watching');
    expect(life.tick(1).name).toBe('sending_update');
  });

  it('RS4 a word that the client takes back confirms nothing', () => {
    const life = RespawnLife.plain().working().ready().tick(1_000).ready('screen').tick(2_000);
    expect(life.name).toBe('confirming_idle');
    expect(life.tick(26_999).name).toBe('confirming_idle');
    expect(life.tick(1).name).toBe('sending_update');
  });

  it('RS4 the client’s own word is confirmed by 3 s', () => {
    const life = RespawnLife.watching().working().ready();
    expect(life.name).toBe('confirming_idle');
    expect(life.tick(2_999).name).toBe('confirming_idle');
    expect(life.tick(1).name).toBe('sending_update');
    expect(life.done).toEqual([]);
  });

  it('RS4 a Stop hook shortens a confirmation that runs', () => {
    const life = RespawnLife.plain().completes().tick(1_000).hook('stop');
    expect(life.tick(3_000).name).toBe('sending_update');
    const late = RespawnLife.plain().completes().tick(9_000).hook('stop');
    expect(late.tick(1_000).name).toBe('sending_update');
  });

  it('RS4 the idle hook decides at once', () => {
    expect(RespawnLife.watching().hook('idle').name).toBe('sending_update');
    expect(RespawnLife.watching().completes().hook('idle').name).toBe('sending_update');
    expect(checking().hook('idle').done).toEqual(['ask idle', 'drop_check']);
  });

  it('RS4 an agent that was idle before it was watched counts by silence', () => {
    const life = new RespawnLife({ idle_check_enabled: false }).start().ready();
    expect(life.tick(29_999).name).toBe('watching');
    expect(life.tick(1).name).toBe('sending_update');
  });

  it('RS4 every word on the way to a cycle is in the event', () => {
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

describe('the idle check', () => {
  it('RS5 AIC-001 IDLE begins a cycle', () => {
    const life = checking().answer({ verdict: 'IDLE', reasoning: 'at its prompt' });
    expect(life.said).toEqual([
      ...['check idle started', 'state ai_checking', 'check idle IDLE', 'state sending_update'],
    ]);
  });

  it('RS5 AIC-002 WORKING pauses the check, and no cycle begins meanwhile', () => {
    const life = checking().answer({ verdict: 'WORKING', reasoning: 'a build runs' });
    expect(life.name).toBe('watching');
    expect(life.tick(179_999).done).toEqual(['ask idle']);
    expect(life.name).toBe('watching');
    expect(life.tick(1).done).toEqual(['ask idle', 'ask idle']);
  });

  it('RS5 AIC-003 AIC-004 ER-004 an error pauses the check, longer each time', () => {
    const life = checking().answer({ error: 'the client could not be started' });
    expect([life.name, life.known.idleChecker.status]).toEqual(['watching', 'cooldown']);
    expect(life.tick(59_999).done).toHaveLength(1);
    expect(life.tick(1).done).toHaveLength(2);
    life.answer({ error: 'no verdict in the answer' });
    expect(life.tick(119_999).done).toHaveLength(2);
    expect(life.tick(1).done).toHaveLength(3);
  });

  it('RS5 AIC-009 three errors in a row turn it off, and the other layers decide', () => {
    const life = checking().answer({ error: 'one' }).tick(60_000).answer({ error: 'two' });
    life.tick(120_000).answer({ error: 'three' });
    expect(life.known.idleChecker).toMatchObject({ status: 'disabled', reason: 'three' });
    expect(life.events.at(-2)?.data).toMatchObject({ status: 'failed', disabled: true });
    expect(life.tick(30_000).name).toBe('sending_update');
    expect(life.done).toHaveLength(3);
  });

  it.each([
    ['by hand', (life: RespawnLife) => life.meet({ kind: 'enable_check', check: 'idle' })],
    ['by its configuration', (life: RespawnLife) => life.configure({ idle_check_model: 'haiku' })],
  ])('RS5 AIC-010 it is turned on again %s', (_, enable) => {
    const life = checking().answer({ error: 'one' }).tick(60_000).answer({ error: 'two' });
    life.tick(120_000).answer({ error: 'three' });
    expect(enable(life).known.idleChecker).toMatchObject({ status: 'ready', errors: 0 });
    expect(life.text().tick(10_000).name).toBe('ai_checking');
  });

  it('RS5 a verdict ends a row of errors', () => {
    const life = checking().answer({ error: 'one' }).tick(60_000);
    life.answer({ verdict: 'WORKING', reasoning: '' });
    expect(life.known.idleChecker.errors).toBe(0);
  });

  it.each([
    ['AIC-005 work', (life: RespawnLife) => life.output({ work: '⠋ Thinking' }), 'watching'],
    ['AIC-006 new text', (life: RespawnLife) => life.text(), 'watching'],
    ['a line that ends a turn', (life: RespawnLife) => life.completes(), 'confirming_idle'],
    ['a Stop hook', (life: RespawnLife) => life.hook('stop'), 'confirming_idle'],
  ])('RS5 %s cancels a check', (_, happen, state) => {
    const life = happen(checking());
    expect([life.name, life.done]).toEqual([state, ['ask idle', 'drop_check']]);
    expect(life.known.idleChecker).toMatchObject({ status: 'ready', errors: 0 });
  });

  it('RS5 a redraw cancels no check', () => {
    expect(checking().output({ isPrompt: true }).name).toBe('ai_checking');
  });

  it('RS5 AIC-007 a check that pauses is not asked after a completion either', () => {
    const life = checking().answer({ verdict: 'WORKING', reasoning: '' }).completes().tick(10_000);
    expect([life.name, life.done]).toEqual(['watching', ['ask idle']]);
  });

  it('RS5 AIC-008 the end of the pause is the end of the pre-filter', () => {
    const life = checking().answer({ verdict: 'WORKING', reasoning: '' }).tick(100_000).text();
    expect(life.tick(79_999).name).toBe('watching');
    expect(life.tick(1).name).toBe('ai_checking');
  });

  it('RS5 AIC-011 silence asks where the pre-filter has not', () => {
    const life = RespawnLife.watching({ idle_timeout_ms: 60_000 }).tick(29_999);
    expect(life.name).toBe('watching');
    expect(life.tick(1).name).toBe('ai_checking');
  });

  it('RS5 AIC-012 the pre-filter wants silence, no work and stable tokens', () => {
    const life = RespawnLife.watching({ idle_timeout_ms: 1_000 }).output({ work: '⠋ x' });
    expect(life.tick(7_999).name).toBe('watching');
    expect(life.tick(1).name).toBe('ai_checking');
    const counting = RespawnLife.watching().text().tick(5_000);
    counting.output({ isSubstantial: true, tokens: 12 }).tick(9_999);
    expect(counting.name).toBe('watching');
    expect(counting.tick(1).name).toBe('ai_checking');
  });

  it('RS5 AIC-013 an answer that comes too late changes nothing', () => {
    const life = checking();
    const late = life.lastCheck;
    life.text().tick(10_000);
    expect(life.done).toEqual(['ask idle', 'drop_check', 'ask idle']);
    const before = life.known;
    life.meet({ kind: 'verdict', check: late, result: { verdict: 'IDLE', reasoning: '' } });
    expect(life.known).toEqual(before);
    life.meet({ kind: 'verdict', check: late, result: { error: 'killed' } });
    expect(life.known).toEqual(before);
    expect(life.answer({ verdict: 'IDLE', reasoning: '' }).name).toBe('sending_update');
  });

  it('RS5 a check that no one ends is an error', () => {
    const life = checking().tick(99_999);
    expect(life.name).toBe('ai_checking');
    life.tick(1);
    expect([life.name, life.known.idleChecker.errors]).toEqual(['watching', 1]);
    expect(life.done).toEqual(['ask idle', 'drop_check']);
  });

  it('RS5 a model is not asked where the client itself knows, nor while a cycle is blocked anyway', () => {
    expect(RespawnLife.watching().working().ready().tick(60_000).done).not.toContain('ask idle');
    const waiting = RespawnLife.watching().agent('waiting', { cause: 'question' });
    expect(waiting.tick(600_000).done).toEqual([]);
    expect(waiting.known.run?.block?.reason).toBe('waiting_for_person');
  });

  it('RS5 a check that is turned off is cancelled, and silence decides', () => {
    const life = checking().configure({ idle_check_enabled: false });
    expect(life.name).toBe('watching');
    expect(life.tick(30_000).name).toBe('sending_update');
  });

  it('RS5 CO-003 a check keeps running when anything else is configured', () => {
    const life = checking().configure({ update_prompt: 'Write it down.' });
    expect(
      life.answer({ verdict: 'IDLE', reasoning: '' }).tick(1_000).effects.at(-1),
    ).toMatchObject({
      text: 'Write it down.',
    });
  });
});
