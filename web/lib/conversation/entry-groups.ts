/** A conversation as shown: messages one by one, tool calls with their results collapsed. Pure. */
import { oneLine } from '$shared/rules/text/plain-text.ts';
import { toolCallSubject } from '$shared/rules/tool-call.ts';
import type { WorkPhase } from '$shared/schema/runs/run-phase.ts';
import { count } from '$lib/ui/text/amounts.ts';
import type { Entry } from './conversation-pages.ts';

/** One tool call; a missing part does not exist or is in another page. */
export interface ToolStep {
  id: number;
  tool: string;
  call: Entry | null;
  result: Entry | null;
}

export interface ToolRun {
  kind: 'tools';
  /** The id of its first interaction, stable while the run grows. */
  id: number;
  steps: readonly ToolStep[];
  /** Tools with their counts. */
  summary: string;
  failed: number;
  /** Time of its last interaction. */
  at: string;
}

export interface Word {
  kind: 'word';
  id: number;
  entry: Entry;
}

/** Where a run enters a phase. */
export interface PhaseStart {
  kind: 'phase';
  /** The id of its first interaction. */
  id: number;
  phase: WorkPhase;
}

const MAX_NAMED = 4;
const PREVIEW_LENGTH = 90;

/** `entries` oldest first; consecutive tool calls of one phase become one group. */
export function groupEntries(entries: readonly Entry[]): (Word | ToolRun | PhaseStart)[] {
  const shown: (Word | ToolRun | PhaseStart)[] = [];
  let current: WorkPhase | undefined;
  let run: Entry[] = [];
  const close = (): void => {
    if (run.length > 0) shown.push(toolRun(run));
    run = [];
  };
  for (const entry of entries) {
    if (entry.phase !== undefined && entry.phase !== current) {
      close();
      current = entry.phase;
      shown.push({ kind: 'phase', id: entry.id, phase: current });
    }
    if (entry.tool !== null || entry.type === 'tool_result') {
      run.push(entry);
    } else if (run.length === 0 || hasText(entry)) {
      close();
      shown.push({ kind: 'word', id: entry.id, entry });
    }
  }
  close();
  return shown;
}

/** Between two calls an agent often sends an empty message. */
function hasText({ content, output_tokens: tokens }: Entry): boolean {
  return content.trim() !== '' || tokens !== null;
}

function toolRun(entries: readonly Entry[]): ToolRun {
  const steps = toolSteps(entries);
  const calls = new Map<string, number>();
  for (const { tool } of steps) calls.set(tool, (calls.get(tool) ?? 0) + 1);
  const named = [...calls]
    .slice(0, MAX_NAMED)
    .map(([name, times]) => (times === 1 ? name : `${name} × ${times}`));
  const more = calls.size > MAX_NAMED ? ` and ${calls.size - MAX_NAMED} more` : '';
  return {
    kind: 'tools',
    id: entries[0]?.id ?? 0,
    steps,
    summary: `${named.join(', ')}${more}`,
    failed: steps.filter(({ result }) => result?.is_error === true).length,
    at: entries.at(-1)?.timestamp ?? '',
  };
}

/** A result belongs to the first call of its tool without one. */
function toolSteps(entries: readonly Entry[]): ToolStep[] {
  const steps: ToolStep[] = [];
  for (const entry of entries) {
    const tool = entry.tool ?? 'Tool';
    if (entry.type !== 'tool_result') {
      steps.push({ id: entry.id, tool, call: entry, result: null });
      continue;
    }
    const step = steps.find((one) => one.result === null && one.tool === tool);
    if (step === undefined) steps.push({ id: entry.id, tool, call: null, result: entry });
    else step.result = entry;
  }
  return steps;
}

/** What the call is about, in one line; without one, the beginning of the result. */
export function stepPreview({ call, result }: ToolStep): string {
  const text = call === null ? (result?.content ?? '') : toolCallSubject(call.content);
  return oneLine(text, PREVIEW_LENGTH);
}

export function runCount({ steps, failed }: Pick<ToolRun, 'steps' | 'failed'>): string {
  const all = count(steps.length, 'step');
  return failed === 0 ? all : `${all}, ${failed} failed`;
}
