/** What the folded options of a new task contain, in one line. Pure. */
import { filledGates, testCommands } from '$lib/host-tests/test-choice.ts';
import { count, formatCost, formatTokens } from '$lib/ui/text/amounts.ts';
import { permissionText } from '$lib/ui/text/permission-text.ts';
import { askedPlaceText } from '$shared/words/work/placement-text.ts';
import { oneLine } from '$shared/rules/text/plain-text.ts';
import { emptyValues, type TaskValues } from './task-values.ts';

/** Of a criterion or a command: the line has room for several parts. */
const LONGEST_PART = 60;

/** Only what differs from the defaults, what is riskiest first; '' if nothing does. */
export function optionsSummary(values: TaskValues): string {
  const usual = emptyValues();
  const { typedName, baseBranch, criteria, context, dependsOn, permissionMode, priority } = values;
  return [
    permissionMode !== usual.permissionMode && permissionText(permissionMode).label,
    !values.useWorktree && 'No worktree',
    ...testParts(values),
    criteria.trim() !== '' && `Done when: ${oneLine(criteria.trim(), LONGEST_PART)}`,
    context.trim() !== '' && `Context: ${oneLine(context.trim(), LONGEST_PART)}`,
    ...limitParts(values, usual),
    typedName !== null && `name ${typedName.trim() || 'empty'}`,
    values.useWorktree && baseBranch.trim() !== '' && `from ${baseBranch.trim()}`,
    ...projectParts(values),
    ...placeParts(values),
    (priority ?? 0) !== usual.priority && `priority ${priority}`,
    dependsOn.length > 0 && `after ${dependsOn.join(', ')}`,
    !values.autoStart && 'not started',
  ]
    .filter((part) => part !== false)
    .join(' · ');
}

function testParts(values: TaskValues): string[] {
  const own = testCommands(values);
  const gates = filledGates(values).map(({ name, command }) => command || name);
  const parts: string[] = [];
  if (own !== null) parts.push(own.length === 0 ? 'No tests' : `Tests: ${listed(own)}`);
  if (gates.length > 0) parts.push(`Gates: ${listed(gates)}`);
  return parts;
}

function limitParts(values: TaskValues, usual: TaskValues): string[] {
  const { maxIterations, maxTokens, maxCost, maxMinutes, maxUnchangedTurns } = values;
  const parts: string[] = [];
  if (maxIterations === null) parts.push('no limit of iterations');
  else if (maxIterations !== usual.maxIterations) parts.push(count(maxIterations, 'iteration'));
  if (maxTokens !== null) parts.push(`${formatTokens(maxTokens)} tokens`);
  if (maxCost !== null) parts.push(`budget ${formatCost(maxCost)}`);
  if (maxMinutes !== null) parts.push(`${maxMinutes} min`);
  if (maxUnchangedTurns !== null) parts.push(count(maxUnchangedTurns, 'unchanged turn'));
  return parts;
}

function projectParts({ others }: TaskValues): string[] {
  const filled = others.filter(({ path }) => path.trim() !== '').length;
  return filled === 0 ? [] : [count(filled, 'more project')];
}

function placeParts({ where, labels }: TaskValues): string[] {
  if (where === '') return [];
  return [`on ${askedPlaceText({ asked: { host: where, labels } })}`];
}

function listed(commands: readonly string[]): string {
  return oneLine(commands.join(', '), LONGEST_PART);
}
