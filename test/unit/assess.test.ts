/** From evidence to one state. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentGroup, AgentState } from '../../shared/agent-state.ts';
import { assess } from '../../server/agents/assess.ts';
import { type Assessment, type Evidence, toAgentState } from '../../server/agents/evidence.ts';
import { type HookFacts, NO_HOOK_FACTS } from '../../server/agents/hook-facts.ts';
import type { ScreenReading } from '../../server/agents/screen-reading.ts';
import type { RecordReading } from '../../server/agents/status-record.ts';
import { NO_TRANSCRIPT_FACTS } from '../../server/agents/transcript-facts.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const NOTHING: Evidence = {
  ...{ front: 'agent', record: null, screen: null },
  ...{ hooks: null, transcript: null, statusLine: null },
};

function record(status: RecordReading['status'], ago = 10_000, waitingFor: string | null = null) {
  return { status, waitingFor, sessionId: 's', version: '2.1.329', changedAtMs: NOW - ago };
}

function screen(state: ScreenReading['state'], more: Partial<ScreenReading> = {}, ago = 0) {
  const reading: ScreenReading = {
    state,
    cause: 'none',
    detail: null,
    untilText: null,
    box: 'empty',
    ...more,
  };
  return { reading, takenAtMs: NOW - ago };
}

function hooks(facts: Partial<HookFacts>): HookFacts {
  return { ...NO_HOOK_FACTS, ...facts };
}

function now(evidence: Partial<Evidence>, before: Assessment | null = null): string {
  const { state, cause, witness } = assess({ ...NOTHING, ...evidence }, before, NOW);
  return `${state} ${cause} by ${witness}`;
}

const LIMIT = { cause: 'five_hour', untilText: '1:14pm (UTC)' } as const;
const limited = { atMs: NOW - 9_000, cause: 'rate_limit', text: 'limit', limit: LIMIT } as const;

describe('who is in front', () => {
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

  it('AG4 a screen older than the record’s change, or not understood, says nothing', () => {
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
    'AG4 record %s, screen %s: the record has the word for 2 s',
    (status, state) => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 4_000 }), (ms) => {
          const base = { ...NOTHING, record: record(status) };
          const first = assess({ ...base, screen: screen(state) }, null, NOW);
          expect(first.state).not.toBe('unknown');
          expect(first.conflictSinceMs).toBe(NOW);
          const later = assess({ ...base, screen: screen(state, {}, -ms) }, first, NOW + ms);
          expect(later.state === 'unknown').toBe(ms > 2_000);
          if (ms > 2_000) expect(later).toMatchObject({ cause: 'disagreement', sinceMs: NOW + ms });
        }),
        { seed: 7 },
      );
    },
  );

  it('AG4 a screen that was not taken again proves nothing, however much later', () => {
    const evidence = { ...NOTHING, record: record('waiting'), screen: screen('working') };
    const first = assess(evidence, null, NOW);
    expect(assess(evidence, first, NOW + 60_000).state).toBe('waiting');
  });

  it('AG4 it is over when both agree, and starts anew when the record changes', () => {
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
    const anew = { ...NOTHING, record: changed, screen: screen('ready', {}, -3_000) };
    expect(assess(anew, before, NOW + 3_000)).toMatchObject({
      state: 'working',
      conflictSinceMs: NOW + 3_000,
    });
  });
});

describe('hooks and transcript', () => {
  it('AG3 say why an agent is at its prompt', () => {
    const failure = {
      atMs: NOW - 9_000,
      cause: 'overloaded',
      text: 'API Error',
      limit: null,
    } as const;
    expect(now({ record: record('idle'), hooks: hooks({ failure }) })).toBe(
      'errored overloaded by hook',
    );
    const transcript = { ...NO_TRANSCRIPT_FACTS, interruptedAtMs: NOW - 9_000 };
    expect(now({ record: record('idle'), transcript })).toBe('interrupted none by transcript');
    expect(now({ record: record('idle'), hooks: hooks({ failure: limited }) })).toBe(
      'limited five_hour by hook',
    );
  });

  it('AG3 say nothing any more after a newer prompt or turn', () => {
    const failure = limited;
    expect(
      now({ record: record('idle'), hooks: hooks({ failure, promptAtMs: NOW - 5_000 }) }),
    ).toBe('ready none by record');
    const stop = { atMs: NOW - 5_000, backgroundTypes: [] };
    expect(now({ record: record('idle'), hooks: hooks({ failure, stop }) })).toBe(
      'ready none by record',
    );
    const turn = { ...NO_TRANSCRIPT_FACTS, turnEndAtMs: NOW - 5_000 };
    expect(now({ record: record('idle'), hooks: hooks({ failure }), transcript: turn })).toBe(
      'ready none by record',
    );
  });

  it('AG3 name what is asked for', () => {
    const asked = (tool: string) => hooks({ asked: { atMs: NOW - 10_100, tool, questions: [] } });
    const waiting = record('waiting', 10_000, 'permission prompt');
    expect(now({ record: waiting, hooks: asked('ExitPlanMode') })).toBe('waiting plan by record');
    expect(now({ record: waiting, hooks: asked('AskUserQuestion') })).toBe(
      'waiting question by record',
    );
    expect(now({ record: waiting, hooks: asked('Bash') })).toBe('waiting permission by record');
    const dialog = record('waiting', 10_000, 'dialog open');
    expect(now({ record: dialog, hooks: asked('Bash') })).toBe('waiting dialog by record');
  });

  it('AG3 never hold a state', () => {
    const ms = fc.option(fc.integer({ min: NOW - 60_000, max: NOW }), { nil: null });
    const facts = fc.record({
      promptAtMs: ms,
      stop: fc.option(
        fc.record({
          atMs: fc.integer({ min: NOW - 60_000, max: NOW }),
          backgroundTypes: fc.constant(['shell']),
        }),
      ),
      failure: fc.constantFrom(null, limited),
      asked: fc.constantFrom(null, { atMs: NOW - 100, tool: 'Bash', questions: [] }),
      compactingSinceMs: ms,
      subagents: fc.constantFrom([], ['a']),
      end: fc.constantFrom(null, { atMs: NOW, reason: 'other' }),
    });
    const records = fc.constantFrom(
      null,
      ...(['idle', 'busy', 'waiting', 'shell'] as const).map((status) => record(status)),
    );
    const screens = fc.constantFrom(
      null,
      ...(['ready', 'working', 'waiting', 'unknown', 'errored'] as const).map((state) =>
        screen(state),
      ),
    );
    const front = fc.constantFrom('agent' as const, 'other' as const, 'shell' as const);
    fc.assert(
      fc.property(facts, records, screens, front, (told, recorded, seen, who) => {
        const evidence = { ...NOTHING, front: who, record: recorded, screen: seen };
        const without = agentGroup(assess(evidence, null, NOW).state);
        const withHooks = agentGroup(assess({ ...evidence, hooks: told }, null, NOW).state);
        expect(withHooks === without || (without === 'idle' && withHooks === 'limited')).toBe(true);
      }),
      { numRuns: 2_000, seed: 20_261_121 },
    );
  });
});

describe('without a record', () => {
  it('AG5 the screen says the state', () => {
    expect(now({ screen: screen('waiting', { cause: 'trust' }) })).toBe('waiting trust by screen');
    expect(now({ screen: screen('working') })).toBe('working none by screen');
    expect(now({ screen: screen('ready') })).toBe('ready none by screen');
  });

  it('AG5 what is not understood is unknown, and nothing yet is starting', () => {
    expect(now({})).toBe('starting none by process');
    expect(now({ screen: screen('unknown', { cause: 'not_understood' }) })).toBe(
      'unknown not_understood by screen',
    );
    expect(now({ front: 'other' })).toBe('unknown not_understood by screen');
  });
});

describe('times', () => {
  const seen = (more: Partial<ScreenReading>) =>
    screen('limited', { cause: 'five_hour', detail: 'limit', ...more });

  it('AG9 the exact reset is better than the words, and the first reading of these than a later', () => {
    const idle = { ...NOTHING, record: record('idle') };
    const words = { ...idle, screen: seen({ untilText: '1:14pm (UTC)' }) };
    const first = assess(words, null, NOW);
    expect(first.untilMs).toBe(Date.parse('2026-11-20T13:14:00Z'));
    const late = { ...words, screen: { ...words.screen, takenAtMs: NOW + 5_000_000 } };
    expect(assess(late, first, NOW + 5_000_000).untilMs).toBe(first.untilMs);
    const fiveHour = { usedPercent: 100, resetsAtMs: NOW + 77_000 };
    const statusLine = {
      ...{ sessionId: null, model: null, costUsd: null, contextUsedPercent: null },
      fiveHour,
      weekly: null,
    };
    expect(assess({ ...words, statusLine }, null, NOW).untilMs).toBe(NOW + 77_000);
    const limit = { cause: 'five_hour', resetsAtMs: NOW + 66_000 } as const;
    const error = {
      kind: 'api_error',
      atMs: NOW - 9_000,
      cause: 'rate_limit',
      status: 429,
      text: 'limit',
      limit,
    } as const;
    const transcript = { ...NO_TRANSCRIPT_FACTS, error };
    expect(assess({ ...words, statusLine, transcript }, null, NOW).untilMs).toBe(NOW + 66_000);
    expect(assess({ ...idle, transcript }, null, NOW).state).toBe('limited');
    expect(assess({ ...idle, transcript }, null, NOW + 67_000).state).toBe('ready');
  });

  it('AG9 a retry counts down from when the screen was taken', () => {
    const retry = screen('retrying', { detail: '529 Overloaded · retrying in 6s · attempt 2/10' });
    expect(assess({ ...NOTHING, record: record('busy'), screen: retry }, null, NOW).untilMs).toBe(
      NOW + 6_000,
    );
    const hung = screen('working', {
      cause: 'hung_stream',
      detail: 'Waiting for API response · will retry in 3m 1s',
    });
    expect(assess({ ...NOTHING, screen: hung }, null, NOW).untilMs).toBe(NOW + 181_000);
  });

  it('AG11 since stays while state and cause stay', () => {
    const first = assess({ ...NOTHING, record: record('busy', 8_000) }, null, NOW);
    expect(first.sinceMs).toBe(NOW - 8_000);
    const again = assess({ ...NOTHING, record: record('busy', 100) }, first, NOW + 1_000);
    expect(again.sinceMs).toBe(NOW - 8_000);
    const idle = assess(
      { ...NOTHING, record: { ...record('idle'), changedAtMs: NOW + 1_500 } },
      again,
      NOW + 2_000,
    );
    expect(idle.sinceMs).toBe(NOW + 1_500);
  });

  it('AG11 an assessment is told as an agent state', () => {
    const assessment = assess({ ...NOTHING, record: record('busy') }, null, NOW);
    expect(AgentState.parse(toAgentState(assessment))).toMatchObject({
      ...{ state: 'working', witness: 'record', since: '2026-11-20T11:59:50.000Z', until: null },
    });
  });
});
