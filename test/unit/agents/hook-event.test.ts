/** What the payloads of hooks contain, on recorded ones. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type HookEvent, parseHookEvent } from '../../../server/agents/hooks/hook-event.ts';
import { foldHookEvent, NO_HOOK_FACTS } from '../../../server/agents/hooks/hook-facts.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';

const FOLDER = join(packageRoot(), 'test/fixtures/hooks');

function recorded(name: string): HookEvent | null {
  return parseHookEvent(JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')));
}

const EXPECTED: Record<string, object | null> = {
  Notification__idle_prompt: { kind: 'notification', type: 'idle_prompt' },
  Notification__permission_prompt: { kind: 'notification', type: 'permission_prompt' },
  Notification__quota_auto_resume_fired: { kind: 'notification', type: 'quota_auto_resume_fired' },
  PermissionRequest__AskUserQuestion: { kind: 'permission_request', tool: 'AskUserQuestion' },
  PermissionRequest__Bash: {
    kind: 'permission_request',
    tool: 'Bash',
    questions: [],
    input: { command: 'touch made-by-stub.txt', description: 'Run a stub command' },
  },
  PermissionRequest__Edit: { kind: 'permission_request', tool: 'Edit' },
  PermissionRequest__ExitPlanMode: { kind: 'permission_request', tool: 'ExitPlanMode' },
  PermissionRequest__Write: { kind: 'permission_request', tool: 'Write' },
  PostCompact__auto: { kind: 'compact_end', trigger: 'auto' },
  PostCompact__manual: { kind: 'compact_end', trigger: 'manual' },
  PreCompact__auto: { kind: 'compact_start', trigger: 'auto' },
  PreCompact__manual: { kind: 'compact_start', trigger: 'manual' },
  PreToolUse__Bash: null,
  PostToolBatch: null,
  SessionEnd__clear: { kind: 'session_end', reason: 'clear' },
  SessionEnd__other: { kind: 'session_end', reason: 'other' },
  SessionEnd__prompt_input_exit: { kind: 'session_end', reason: 'prompt_input_exit' },
  SessionStart__clear: { kind: 'session_start', source: 'clear' },
  SessionStart__compact: { kind: 'session_start', source: 'compact' },
  SessionStart__fork: { kind: 'session_start', source: 'fork' },
  SessionStart__resume: { kind: 'session_start', source: 'resume' },
  SessionStart__startup: { kind: 'session_start', source: 'startup' },
  Stop: { kind: 'stop', backgroundTasks: [], text: 'Hi there.' },
  Stop__background: { kind: 'stop', backgroundTasks: [expect.objectContaining({ type: 'shell' })] },
  StopFailure__authentication_failed: { kind: 'stop_failure', cause: 'authentication' },
  StopFailure__billing_error: { kind: 'stop_failure', cause: 'billing' },
  StopFailure__invalid_request: { kind: 'stop_failure', cause: 'prompt_too_long' },
  StopFailure__model_not_found: { kind: 'stop_failure', cause: 'model_not_found' },
  StopFailure__rate_limit: { kind: 'stop_failure', cause: 'rate_limit', limit: null },
  StopFailure__server_error: { kind: 'stop_failure', cause: 'overloaded' },
  StopFailure__unknown: { kind: 'stop_failure', cause: 'invalid_request' },
  SubagentStart: { kind: 'subagent_start', id: 'ae9923f79528a88aa', type: 'general-purpose' },
  SubagentStop: { kind: 'subagent_stop', id: 'af50a39f03b8a23d9' },
  SubagentStop__background: { kind: 'subagent_stop', id: 'ae9923f79528a88aa' },
  UserPromptExpansion: { kind: 'prompt', text: '/some:command arg1 arg2' },
  UserPromptSubmit: { kind: 'prompt', text: 'stub:text Hi there.' },
};

it('AG12 every recorded payload is in the table', () => {
  const names = readdirSync(FOLDER).map((file) => file.replace('.json', ''));
  expect(Object.keys(EXPECTED).sort()).toEqual(names.sort());
});

it.each(Object.entries(EXPECTED))('AG12 %s is parsed', (name, expected) => {
  const event = recorded(name);
  if (expected === null) expect(event).toBeNull();
  else expect(event).toMatchObject({ ...expected, sessionId: expect.any(String) as string });
});

it('AG12 a question has its options', () => {
  expect(recorded('PermissionRequest__AskUserQuestion')).toMatchObject({
    questions: [
      {
        question: 'Which colour should the button be?',
        header: 'Colour',
        multiSelect: false,
        options: [
          { label: 'Red', description: 'A red button' },
          { label: 'Blue', description: 'A blue button' },
        ],
      },
    ],
  });
});

it('AG12 a usage limit is recognized by the text of the failure', () => {
  const text = "You've hit your weekly limit · resets Nov 22, 1:45pm (UTC)";
  const event = parseHookEvent({
    hook_event_name: 'StopFailure',
    session_id: 's',
    error: 'rate_limit',
    last_assistant_message: text,
  });
  expect(event).toMatchObject({ limit: { cause: 'weekly', untilText: 'Nov 22, 1:45pm (UTC)' } });
});

it('AG12 unknown keys are dropped, long texts cut and unknown events ignored', () => {
  const long = 'x'.repeat(100_000);
  const event = parseHookEvent({
    hook_event_name: 'Stop',
    last_assistant_message: long,
    other: long,
    background_tasks: [{ id: long, type: 'shell' }],
  });
  expect(JSON.stringify(event).length).toBeLessThan(5_000);
  expect(event).not.toHaveProperty('other');
  expect(parseHookEvent({ hook_event_name: 'FileChanged' })).toBeNull();
  expect(parseHookEvent({ hook_event_name: 'constructor' })).toBeNull();
  expect(parseHookEvent(null)).toBeNull();
});

it('AT17 the input of a tool stays whole: an allowed input is returned unchanged', () => {
  const tool_input = {
    file_path: '/x',
    content: 'x'.repeat(100_000),
    deep: [[[[[[[[[['y']]]]]]]]]],
  };
  const payload = { hook_event_name: 'PermissionRequest', tool_name: 'Write', tool_input };
  expect(parseHookEvent(payload)).toMatchObject({ input: tool_input });
});

it('AG8 any payload is parsed without throwing, and can be folded', () => {
  const name = fc.constantFrom(...Object.keys(EXPECTED).map((key) => key.split('__')[0] ?? key));
  fc.assert(
    fc.property(name, fc.object({ maxDepth: 3 }), (hook_event_name, rest) => {
      const event = parseHookEvent({ ...rest, hook_event_name });
      if (event !== null) foldHookEvent(NO_HOOK_FACTS, event, 1);
    }),
    { seed: 7 },
  );
});

it('AG12 facts follow the events: an answer to a compaction, subagents, the end of the session', () => {
  const fold = (...names: string[]) =>
    names.reduce((facts, name, at) => {
      const event = recorded(name);
      return event === null ? facts : foldHookEvent(facts, event, at + 1);
    }, NO_HOOK_FACTS);
  expect(fold('UserPromptSubmit', 'PreCompact__manual').compactingSinceMs).toBe(2);
  expect(fold('PreCompact__manual', 'SessionStart__compact').compactingSinceMs).toBeNull();
  expect(fold('UserPromptSubmit', 'SessionStart__compact').promptAtMs).toBe(1);
  expect(fold('SubagentStart').subagents).toEqual(['ae9923f79528a88aa']);
  expect(fold('SubagentStart', 'SubagentStop__background').subagents).toEqual([]);
  expect(fold('Stop__background').stop?.backgroundTypes).toEqual(['shell']);
  expect(fold('SessionEnd__prompt_input_exit').end?.reason).toBe('prompt_input_exit');
  expect(fold('SessionEnd__clear', 'SessionStart__clear').end).toBeNull();
});
