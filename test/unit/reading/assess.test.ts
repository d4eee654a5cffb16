/** From evidence to one state: the foreground program, the record, the screen, and when they disagree. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assess } from '../../../server/agents/reading/assess.ts';
import { hooks, NOTHING, NOW, now, record, screen } from '../../support/agents/evidence.ts';

describe('the foreground program', () => {
  it.each(['shell', 'gone'] as const)('AG1 %s: the agent has exited', (front) => {
    expect(now({ front, record: record('busy'), screen: screen('working') })).toBe(
      'exited none by process',
    );
  });

  it('AG1 the hook says who ended it', () => {
    const end = { atMs: NOW, reason: 'prompt_input_exit' };
    expect(now({ front: 'shell', hooks: hooks({ end }) })).toBe('exited by_person by process');
  });
});

describe('the record', () => {
  it.each([
    ['idle', null, 'ready none by record'],
    ['busy', null, 'working none by record'],
    ['shell', null, 'background shell by record'],
    ['waiting', 'permission prompt', 'waiting permission by record'],
    ['waiting', 'input needed', 'waiting question by record'],
    ['waiting', 'dialog open', 'waiting dialog by record'],
    ['waiting', 'something new', 'waiting dialog by record'],
  ] as const)('AG2 %s, %s', (status, waitingFor, expected) => {
    expect(now({ record: record(status, 10_000, waitingFor) })).toBe(expected);
  });

  it.each([
    ['idle', 'limited', 'five_hour', 'limited five_hour'],
    ['idle', 'errored', 'overloaded', 'errored overloaded'],
    ['idle', 'interrupted', 'none', 'interrupted none'],
    ['idle', 'ready', 'draft', 'ready draft'],
    ['busy', 'retrying', 'overloaded', 'retrying overloaded'],
    ['busy', 'compacting', 'none', 'compacting none'],
    ['busy', 'working', 'hung_stream', 'working hung_stream'],
    ['busy', 'working', 'subagent', 'working subagent'],
    ['waiting', 'waiting', 'trust', 'waiting trust'],
    ['shell', 'background', 'shell', 'background shell'],
    ['shell', 'ready', 'none', 'background shell'],
  ] as const)('AG4 %s is refined by %s %s', (status, state, cause, expected) => {
    const evidence = { ...NOTHING, record: record(status), screen: screen(state, { cause }) };
    const assessment = assess(evidence, null, NOW);
    expect(`${assessment.state} ${assessment.cause}`).toBe(expected);
    expect(assessment.conflictSinceMs).toBeNull();
  });

  it('AG4 a screen that is older than the record’s change, or cannot be read, proves nothing', () => {
    const old = screen('working', {}, 20_000);
    expect(now({ record: record('idle'), screen: old })).toBe('ready none by record');
    const unread = screen('unknown', { cause: 'not_understood' });
    expect(now({ record: record('busy'), screen: unread })).toBe('working none by record');
  });
});

describe('disagreement', () => {
  const CONTRADICTIONS = [
    ['idle', 'working'],
    ['idle', 'waiting'],
    ['busy', 'ready'],
    ['busy', 'limited'],
    ['busy', 'waiting'],
    ['waiting', 'working'],
    ['waiting', 'ready'],
    ['shell', 'working'],
  ] as const;

  it.each(CONTRADICTIONS)(
    'AG4 record %s, screen %s: the record counts for 2 s',
    (status, state) => {
      fc.assert(
        fc.property(
          fc.oneof(fc.constantFrom(2_000, 2_001), fc.integer({ min: 1, max: 4_000 })),
          (ms) => {
            const base = { ...NOTHING, record: record(status) };
            const first = assess({ ...base, screen: screen(state) }, null, NOW);
            expect(first.state).not.toBe('unknown');
            expect(first.conflictSinceMs).toBe(NOW);
            const later = assess({ ...base, screen: screen(state, {}, -ms) }, first, NOW + ms);
            expect(later.state === 'unknown').toBe(ms > 2_000);
            if (ms > 2_000)
              expect(later).toMatchObject({ cause: 'disagreement', sinceMs: NOW + ms });
          },
        ),
        { seed: 7 },
      );
    },
  );

  it('AG4 a screen that was not captured again proves nothing, also much later', () => {
    const evidence = { ...NOTHING, record: record('waiting'), screen: screen('working') };
    const first = assess(evidence, null, NOW);
    expect(assess(evidence, first, NOW + 60_000).state).toBe('waiting');
  });

  it('AG4 it is over when both agree, and starts again when the record changes', () => {
    const before = assess(
      { ...NOTHING, record: record('idle'), screen: screen('working') },
      null,
      NOW,
    );
    const agreed = { ...NOTHING, record: record('idle'), screen: screen('ready', {}, -3_000) };
    expect(assess(agreed, before, NOW + 3_000)).toMatchObject({
      state: 'ready',
      conflictSinceMs: null,
    });
    const changed = { ...record('busy'), changedAtMs: NOW + 2_500 };
    const again = { ...NOTHING, record: changed, screen: screen('ready', {}, -3_000) };
    expect(assess(again, before, NOW + 3_000)).toMatchObject({
      state: 'working',
      conflictSinceMs: NOW + 3_000,
    });
  });
});

describe('without a record', () => {
  it('AG5 the screen says the state', () => {
    expect(now({ screen: screen('waiting', { cause: 'trust' }) })).toBe('waiting trust by screen');
    expect(now({ screen: screen('working') })).toBe('working none by screen');
    expect(now({ screen: screen('ready') })).toBe('ready none by screen');
  });

  it('AG5 a screen that cannot be read is unknown, and no screen yet is starting', () => {
    expect(now({})).toBe('starting none by process');
    const mute = { screen: screen('unknown', { cause: 'not_understood' }) };
    const starting = assess({ ...NOTHING, ...mute }, null, NOW);
    expect(starting.state).toBe('starting');
    expect(assess({ ...NOTHING, ...mute }, starting, NOW + 9_999).state).toBe('starting');
    expect(assess({ ...NOTHING, ...mute }, starting, NOW + 10_000)).toMatchObject({
      state: 'unknown',
      cause: 'not_understood',
      witness: 'screen',
    });
    expect(now({ front: 'other' })).toBe('unknown not_understood by screen');
  });

  it('AG1 a program started in the shell after the agent ended makes the state neither unknown nor new', () => {
    const left = assess({ ...NOTHING, front: 'shell' }, null, NOW);
    const editor = assess({ ...NOTHING, front: 'other' }, left, NOW + 60_000);
    expect(editor).toEqual(left);
    expect(assess({ ...NOTHING, front: 'agent' }, editor, NOW + 60_001).state).toBe('starting');
  });
});

describe('views of the client', () => {
  const view = (cause: Parameters<typeof screen>[1]) =>
    screen('waiting', { ...cause, box: 'none' });

  it('AG15 an idle client that shows a view is not ready, with or without a record', () => {
    for (const cause of ['agents_view', 'history_search', 'transcript_view', 'rewind'] as const) {
      for (const recorded of [record('idle'), record('shell'), null]) {
        const seen = now({ record: recorded, screen: view({ cause }) });
        expect(seen).toBe(`waiting ${cause} by screen`);
      }
    }
  });

  it('AG15 AG19 a view over a turn leaves it working; the list of sessions replaces it', () => {
    const busy = record('busy');
    expect(now({ record: busy, screen: view({ cause: 'transcript_view' }) })).toBe(
      'working none by record',
    );
    expect(now({ record: busy, screen: view({ cause: 'agents_view' }) })).toBe(
      'waiting agents_view by screen',
    );
  });

  it('AG19 a view over a permission request leaves it open', () => {
    const asked = record('waiting', 10_000, 'permission prompt');
    expect(now({ record: asked, screen: view({ cause: 'transcript_view' }) })).toBe(
      'waiting permission by record',
    );
  });

  it('AG16 a recorded idle is not ready while the screen drawn since shows no prompt', () => {
    const unread = screen('unknown', { cause: 'not_understood', box: 'none' });
    const evidence = { ...NOTHING, record: record('idle'), screen: screen('ready') };
    const ready = assess(evidence, null, NOW);
    const first = assess({ ...evidence, screen: unread }, ready, NOW);
    expect(first).toMatchObject({ state: 'ready', doubtSinceMs: NOW });
    const later = { ...unread, takenAtMs: NOW + 2_001 };
    const after = assess({ ...evidence, screen: later }, first, NOW + 2_001);
    expect(after).toMatchObject({ state: 'unknown', cause: 'not_understood', witness: 'screen' });
  });
});
