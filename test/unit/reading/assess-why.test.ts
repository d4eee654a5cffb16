/** Why a state is what it is, since when and until when. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentGroup, AgentState } from '../../../shared/schema/agents/agent-state.ts';
import { assess } from '../../../server/agents/reading/assess.ts';
import { type Evidence, toAgentState } from '../../../server/agents/reading/evidence.ts';
import type { ScreenReading } from '../../../server/agents/screen/screen-reading.ts';
import { NO_TRANSCRIPT_FACTS } from '../../../server/agents/records/transcript-facts.ts';
import {
  hooks,
  LIMITED,
  NOTHING,
  NOW,
  now,
  record,
  screen,
} from '../../support/agents/evidence.ts';

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
    expect(now({ record: record('idle'), hooks: hooks({ failure: LIMITED }) })).toBe(
      'limited five_hour by hook',
    );
  });

  it('AG3 say nothing any more after a newer prompt or turn', () => {
    const failure = LIMITED;
    expect(
      now({ record: record('idle'), hooks: hooks({ failure, promptAtMs: NOW - 5_000 }) }),
    ).toBe('ready none by record');
    const stop = { atMs: NOW - 5_000, backgroundTypes: [], text: null };
    expect(now({ record: record('idle'), hooks: hooks({ failure, stop }) })).toBe(
      'ready none by record',
    );
    const turn = { ...NO_TRANSCRIPT_FACTS, turnEndAtMs: NOW - 5_000 };
    expect(now({ record: record('idle'), hooks: hooks({ failure }), transcript: turn })).toBe(
      'ready none by record',
    );
  });

  it('AG3 name what is requested', () => {
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

  it('AG3 the transcript names what is requested where no hook does', () => {
    const called = (tool: string, atMs = NOW - 10_100) => {
      return { ...NO_TRANSCRIPT_FACTS, called: { tool, atMs } };
    };
    const waiting = record('waiting', 10_000, 'permission prompt');
    const cause = (more: Partial<Evidence>) => now({ record: waiting, ...more });
    expect(cause({ transcript: called('ExitPlanMode') })).toBe('waiting plan by record');
    expect(cause({ transcript: called('AskUserQuestion') })).toBe('waiting question by record');
    expect(cause({ transcript: called('Bash') })).toBe('waiting permission by record');
    // An earlier call is not what it waits for.
    expect(cause({ transcript: called('AskUserQuestion', NOW - 60_000) })).toBe(
      'waiting permission by record',
    );
    const bash = hooks({ asked: { atMs: NOW - 10_100, tool: 'Bash', questions: [] } });
    expect(cause({ hooks: bash, transcript: called('AskUserQuestion') })).toBe(
      'waiting permission by record',
    );
  });

  it('AG3 never hold a state', () => {
    const ms = fc.option(fc.integer({ min: NOW - 60_000, max: NOW }), { nil: null });
    const facts = fc.record({
      promptAtMs: ms,
      stop: fc.option(
        fc.record({
          atMs: fc.integer({ min: NOW - 60_000, max: NOW }),
          backgroundTypes: fc.constant(['shell']),
          text: fc.constant(null),
        }),
      ),
      failure: fc.constantFrom(null, LIMITED),
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
      fc.property(facts, records, screens, front, (hookFacts, recorded, seen, who) => {
        const evidence = { ...NOTHING, front: who, record: recorded, screen: seen };
        const without = agentGroup(assess(evidence, null, NOW).state);
        const withHooks = agentGroup(assess({ ...evidence, hooks: hookFacts }, null, NOW).state);
        expect(withHooks === without || (without === 'idle' && withHooks === 'limited')).toBe(true);
      }),
      { numRuns: 2_000, seed: 20_261_121 },
    );
  });
});

describe('times', () => {
  const seen = (more: Partial<ScreenReading>) =>
    screen('limited', { cause: 'five_hour', detail: 'limit', ...more });

  it('AG9 the exact reset counts before the text, and the first reading of the text before a later one', () => {
    const idle = { ...NOTHING, record: record('idle') };
    const words = { ...idle, screen: seen({ untilText: '1:14pm (UTC)' }) };
    const first = assess(words, null, NOW);
    expect(first.untilMs).toBe(Date.parse('2026-11-20T13:14:00Z'));
    const late = { ...words, screen: { ...words.screen, takenAtMs: NOW + 5_000_000 } };
    expect(assess(late, first, NOW + 5_000_000).untilMs).toBe(first.untilMs);
    const fiveHour = { usedPercent: 100, resetsAtMs: NOW + 77_000 };
    const statusLine = {
      writtenAtMs: null,
      sessionId: null,
      model: null,
      modelId: null,
      costUsd: null,
      contextUsedPercent: null,
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
    const drawn = { ...error, text: "You've hit your session limit · resets 1:14pm (UTC)" };
    const older = { ...drawn, limit: { ...limit, resetsAtMs: null } };
    const byText = { ...idle, transcript: { ...NO_TRANSCRIPT_FACTS, error: older } };
    expect(assess(byText, null, NOW).untilMs).toBe(Date.parse('2026-11-20T13:14:00Z'));
    const asks = screen('waiting', { cause: 'dialog', detail: 'limit', untilText: '1:14pm (UTC)' });
    const dialog = { ...NOTHING, record: record('waiting', 1_000, 'dialog open'), screen: asks };
    expect(assess({ ...dialog, transcript }, null, NOW).untilMs).toBe(NOW + 66_000);
  });

  it('AG21 a dialog about a limit has its reset, also without a record; no other has one', () => {
    const of = (untilText: string | null) =>
      screen('waiting', { cause: 'dialog', detail: 'limit', untilText, box: 'none' });
    const known = record('waiting', 1_000, 'dialog open');
    const first = assess({ ...NOTHING, record: known, screen: of('1:14pm (UTC)') }, null, NOW);
    expect(first).toMatchObject({ state: 'waiting', cause: 'dialog' });
    expect(first.untilMs).toBe(Date.parse('2026-11-20T13:14:00Z'));
    const later = { ...of('1:14pm (UTC)'), takenAtMs: NOW + 5_000_000 };
    const after = assess({ ...NOTHING, record: known, screen: later }, first, NOW + 5_000_000);
    expect(after.untilMs).toBe(first.untilMs);
    expect(assess({ ...NOTHING, screen: of('1:14pm (UTC)') }, null, NOW).untilMs).toBe(
      first.untilMs,
    );
    expect(assess({ ...NOTHING, record: known, screen: of(null) }, null, NOW).untilMs).toBe(null);
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

  it('AG11 an assessment is reported as an agent state', () => {
    const assessment = assess({ ...NOTHING, record: record('busy') }, null, NOW);
    expect(AgentState.parse(toAgentState(assessment))).toMatchObject({
      state: 'working',
      witness: 'record',
      since: '2026-11-20T11:59:50.000Z',
      until: null,
    });
  });
});
