/** What an agent says of its work as a whole, where that is read, and what follows from it. */
import { describe, expect, it } from 'vitest';
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import { foldHookEvent, NO_HOOK_FACTS } from '../../../server/agents/hooks/hook-facts.ts';
import { parseHookEvent } from '../../../server/agents/hooks/hook-event.ts';
import {
  foldTranscriptFact,
  NO_TRANSCRIPT_FACTS,
} from '../../../server/agents/records/transcript-facts.ts';
import { parseTranscriptLine } from '../../../server/agents/records/transcript-line.ts';
import { readStatusLine } from '../../../server/respawn/detection/status-line.ts';
import { respawnNeed } from '../../../server/respawn/respawn-need.ts';
import { agentDetails } from '../../../server/sessions/watching/agent-details.ts';
import { RespawnLife } from '../../support/respawn/respawn-life.ts';

const statusOf = (end: string) => readStatusLine({ end, witness: 'hook' })?.status ?? null;

describe('the line', () => {
  it.each([
    ['STATUS: DONE', 'done'],
    ['All parts are in.\n\nSTATUS: DONE\n', 'done'],
    ['**STATUS: DONE**', 'done'],
    ['**STATUS:** DONE.', 'done'],
    ['STATUS: BLOCKED', 'blocked'],
    ['I need the key.\nSTATUS: BLOCKED, waiting for the API key', 'blocked'],
    ['Everything is done. All tests pass.', null],
    ['STATUS: DONE with step 1 of 5', null],
    ['STATUS: DONE\nNow I continue with the next part.', null],
    ['I end with STATUS: DONE', null],
    ['> STATUS: DONE', null],
    ['`STATUS: DONE`', null],
    ['```\nSTATUS: DONE\n```', null],
    ['STATUS: UNBLOCKED', null],
    ['STATUS: BLOCKED-BY is a field', null],
    ['status: done', null],
    ['', null],
  ])('RS57 %j is %s', (message, status) => {
    expect(statusOf(message)).toBe(status);
  });
});

describe('the last message', () => {
  const ready: AgentState = {
    state: 'ready',
    cause: 'none',
    detail: null,
    witness: 'record',
    since: '2026-01-01T00:00:00.000Z',
    until: null,
  };
  const line = (type: string, text: string, more: object = {}) =>
    parseTranscriptLine(
      JSON.stringify({
        type,
        timestamp: '2026-01-01T00:00:00.000Z',
        message: { content: [{ type: 'text', text }] },
        ...more,
      }),
    );
  const transcript = (...lines: (ReturnType<typeof line> | null)[]) =>
    lines.reduce(
      (facts, fact) => (fact === null ? facts : foldTranscriptFact(facts, fact, 0)),
      NO_TRANSCRIPT_FACTS,
    );
  const hook = (event: object) => {
    const parsed = parseHookEvent(event);
    if (parsed === null) throw new Error('no event');
    return parsed;
  };
  const stop = (text?: string) => hook({ hook_event_name: 'Stop', last_assistant_message: text });
  const prompt = hook({ hook_event_name: 'UserPromptSubmit', prompt: 'more' });
  const details = (evidence: object, state = ready) =>
    agentDetails(
      { record: null, statusLine: null, hooks: null, transcript: null, ...evidence },
      state,
    ).lastMessage;

  it('RS57 comes from the transcript of a client without hooks, until the next prompt', () => {
    const said = line('assistant', 'STATUS: DONE');
    expect(details({ transcript: transcript(said) })).toEqual({
      end: 'STATUS: DONE',
      witness: 'transcript',
    });
    const typed = line('user', 'go on', { promptSource: 'typed' });
    expect(details({ transcript: transcript(said, typed) })).toBeNull();
  });

  it.each([
    ['a subagent', line('assistant', 'STATUS: DONE', { isSidechain: true })],
    ['a failed request', line('assistant', 'STATUS: DONE', { isApiErrorMessage: true })],
    ['a person', line('user', 'STATUS: DONE')],
  ])('RS57 is no word of %s', (_, fact) => {
    expect(details({ transcript: transcript(fact) })).toBeNull();
  });

  it('RS57 comes from the Stop hook where there is one, with the end of a long text', () => {
    const text = `${'x'.repeat(10_000)}\nSTATUS: DONE`;
    const hooks = foldHookEvent(NO_HOOK_FACTS, stop(text), 5);
    const last = details({ hooks, transcript: transcript(line('assistant', 'earlier')) });
    expect(last).toMatchObject({ witness: 'hook' });
    expect(statusOf(last?.end ?? '')).toBe('done');
    expect(details({ hooks: foldHookEvent(hooks, prompt, 6) })).toBeNull();
  });

  it('RS57 of a client whose hook has no text the transcript counts', () => {
    const hooks = foldHookEvent(NO_HOOK_FACTS, stop(), 5);
    const last = details({ hooks, transcript: transcript(line('assistant', 'STATUS: DONE')) });
    expect(last).toMatchObject({ witness: 'transcript' });
  });

  it.each(['working', 'interrupted', 'background', 'errored'] as const)(
    'RS57 is none of an agent that is %s',
    (state) => {
      const evidence = { transcript: transcript(line('assistant', 'STATUS: DONE')) };
      expect(details(evidence, { ...ready, state })).toBeNull();
    },
  );
});

describe('what comes of it', () => {
  it.each([
    ['done', 'reported_done'],
    ['blocked', 'reported_blocked'],
  ] as const)('RS57 an agent that is %s needs a person', (status, reason) => {
    const life = RespawnLife.plain().reports(status).tick(600_000);
    expect(life.submitted).toEqual([]);
    expect(respawnNeed(life.known)).toMatchObject({
      reason,
      detail: `STATUS: ${status.toUpperCase()}`,
    });
    life.see({ reported: null }).working().ready().tick(4_000);
    expect([life.submitted, respawnNeed(life.known)]).toEqual([['submit update'], null]);
  });

  it('RS57 one that is read in the pause before the first step cancels the cycle', () => {
    const life = RespawnLife.plain({ inter_step_delay_ms: 5_000 }).working().ready().tick(4_000);
    expect(life.name).toBe('sending_update');
    life.reports('done').tick(600_000);
    expect([life.name, life.submitted]).toEqual(['watching', []]);
    expect(life.known.recent[0]?.outcome).toBe('cancelled');
    expect(life.known.run?.block?.reason).toBe('reported_done');
  });

  it('RS57 after update it ends the cycle, before its context is cleared', () => {
    const life = RespawnLife.plain().working().ready().tick(4_000).deliver().working();
    life.ready().reports('done').tick(600_000);
    expect([life.name, life.submitted]).toEqual(['watching', ['submit update']]);
    expect(life.known.recent[0]?.outcome).toBe('completed');
    expect(life.known.run?.block?.reason).toBe('reported_done');
  });
});
