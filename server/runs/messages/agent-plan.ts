import { fencedLines } from '../../../shared/rules/text/fenced-lines.ts';
import type { Interaction } from '../../../shared/schema/tasks/interaction.ts';

/** With which the client's plan mode hands over a plan. Its headless turns refuse the call. */
const PLAN_TOOL = 'ExitPlanMode';
const CALL = /^\[Tool use: [^\]]*\] /;
/** Where an agent in plan mode has to write the plan: the only file it may write. */
const PLAN_FILE = /(?:^|\/)plans\/[^/]+\.md$/;
const CHECKBOX = /^\s*(?:[-*+]|\d+[.)])\s+\[[ xX]\]\s/;

type Entry = Pick<Interaction, 'tool' | 'type' | 'content'>;

/**
 * The plan in what an agent said in one turn. Its final text is what it was asked for; one without
 * checkboxes may only say where the plan is: then it is what the agent handed over last, or wrote.
 * The entries are the oldest first.
 */
export function agentPlan(entries: readonly Entry[], finalText: string): string {
  if (fencedLines(finalText).some(({ line, isCode }) => !isCode && CHECKBOX.test(line))) {
    return finalText;
  }
  const calls = entries.filter(({ type }) => type === 'claude_response');
  return handedOver(calls) ?? writtenPlan(calls) ?? finalText;
}

function handedOver(calls: readonly Entry[]): string | null {
  const plans = calls
    .filter(({ tool }) => tool === PLAN_TOOL)
    .map(({ content }) => planIn(content))
    .filter((plan) => plan.trim() !== '');
  return plans.at(-1) ?? null;
}

/** A call with one text is that text, any other is JSON that may be cut. */
function planIn(content: string): string {
  const text = content.replace(CALL, '');
  return text.startsWith('{') ? stringIn(inputOf(content), 'plan') : text;
}

/** The file as the agent left it. */
function writtenPlan(calls: readonly Entry[]): string | null {
  let path = '';
  let plan = '';
  for (const { tool, content } of calls) {
    if (tool !== 'Write' && tool !== 'Edit') continue;
    const input = inputOf(content);
    const file = stringIn(input, 'file_path');
    if (tool === 'Write' && PLAN_FILE.test(file)) {
      path = file;
      plan = stringIn(input, 'content');
    } else if (tool === 'Edit' && file === path) {
      plan = plan.replace(stringIn(input, 'old_string'), () => stringIn(input, 'new_string'));
    }
  }
  return plan.trim() === '' ? null : plan;
}

function inputOf(content: string): unknown {
  try {
    return JSON.parse(content.replace(CALL, '')) as unknown;
  } catch {
    return null;
  }
}

function stringIn(input: unknown, key: string): string {
  if (typeof input !== 'object' || input === null) return '';
  const value = (input as Record<string, unknown>)[key];
  return typeof value === 'string' ? value : '';
}
