/** The plan of a run, from what its planner said. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseStreamLine } from '../../../server/agents/headless/stream-event.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { agentPlan } from '../../../server/runs/messages/agent-plan.ts';
import { TurnRecorder } from '../../../server/turns/turn-recorder.ts';
import { toolCallText } from '../../../shared/rules/tool-call.ts';

const PLAN = '# Add a cache\n\n- [ ] Write it\n- [ ] Test it\n';
const FILE = '/home/user/.claude/plans/add-a-cache.md';

function call(tool: string, input: unknown) {
  return { type: 'claude_response' as const, tool, content: toolCallText(tool, input) };
}

it('RN31 a plan that the client had written to its plan file is found there', () => {
  const recorder = new TurnRecorder(1);
  const path = join(packageRoot(), 'test/fixtures/headless/plan-in-file.ndjson');
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const entries = lines
    .flatMap((line, index) => recorder.take(parseStreamLine(line) ?? [], index + 1))
    .map(({ type, content, tool = null }) => ({ type, content, tool }));
  const said = entries.at(-1)?.content ?? '';
  expect(said).toBe('The plan is in the plan file and waits for approval.');
  expect(agentPlan(entries, said)).toMatch(/^# Add a sum function\n[^]*- \[ \] Commit both\n$/);
});

it('RN31 the file counts as it was edited, and no other file does', () => {
  const edit = { file_path: FILE, old_string: 'Test it', new_string: 'Test $& twice' };
  const entries = [
    call('Write', { file_path: FILE, content: PLAN }),
    call('Write', { file_path: '/proj/notes.md', content: '- [ ] A note' }),
    call('Edit', edit),
    call('Edit', { ...edit, file_path: '/proj/notes.md' }),
  ];
  expect(agentPlan(entries, 'It is ready.')).toBe(PLAN.replace('Test it', () => 'Test $& twice'));
  expect(agentPlan(entries.slice(1), 'It is ready.')).toBe('It is ready.');
});

it('RN31 what was handed over comes before the file, and a final text with items before both', () => {
  const entries = [
    call('Write', { file_path: FILE, content: '- [ ] A draft' }),
    call('ExitPlanMode', { plan: PLAN }),
    call('ExitPlanMode', {}),
  ];
  expect(agentPlan(entries, 'It is ready.')).toBe(PLAN);
  expect(agentPlan(entries, '1. [ ] Do it')).toBe('1. [ ] Do it');
  expect(agentPlan(entries, '```\n- [ ] Quoted\n```')).toBe(PLAN);
});

it('RN31 a call that was cut is no plan', () => {
  const { content, ...whole } = call('Write', { file_path: FILE, content: PLAN });
  const cut = { ...whole, content: content.slice(0, -5) };
  expect(agentPlan([cut], 'First read, then write.')).toBe('First read, then write.');
});
