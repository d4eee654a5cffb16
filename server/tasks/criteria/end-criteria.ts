/** When a task is done and how much it may use, from what people specified. Pure. */
import {
  DEFAULT_TASK_ITERATIONS,
  type EndCriteria,
} from '../../../shared/schema/tasks/end-criteria.ts';
import { type CreateTask, type UpdateTask } from '../../../shared/schema/tasks/task.ts';

type Fields = Pick<
  CreateTask,
  | 'end_criteria'
  | 'max_iterations'
  | 'max_tokens'
  | 'max_cost_usd'
  | 'max_minutes'
  | 'max_unchanged_turns'
  | 'gates'
  | 'test_commands'
>;
type Change = NonNullable<UpdateTask['end_criteria_config']>;

const WARNING =
  'No end criteria: the task ends when its agent says it is done, or at a limit. ' +
  'Add a "Done when" so completion can be checked.';

/** Includes a warning when there are no criteria. */
export function endCriteriaOf(fields: Fields): EndCriteria {
  return warned({
    criteria: textOf(fields.end_criteria),
    max_iterations: fields.max_iterations ?? DEFAULT_TASK_ITERATIONS,
    max_tokens: fields.max_tokens ?? null,
    max_cost_usd: fields.max_cost_usd ?? null,
    max_minutes: fields.max_minutes ?? null,
    ...unchangedTurns(fields.max_unchanged_turns),
    gates: fields.gates ?? [],
    test_commands: fields.test_commands ?? null,
  });
}

/**
 * Omitted fields stay; null removes a limit or the criteria, and resets the number of turns to its
 * default. A warning cannot be set.
 */
export function changedCriteria(before: EndCriteria, change: Change): EndCriteria {
  return warned({
    criteria: change.criteria === undefined ? before.criteria : textOf(change.criteria),
    max_iterations:
      change.max_iterations === undefined
        ? before.max_iterations
        : (change.max_iterations ?? DEFAULT_TASK_ITERATIONS),
    max_tokens: kept(change.max_tokens, before.max_tokens),
    max_cost_usd: kept(change.max_cost_usd, before.max_cost_usd),
    max_minutes: kept(change.max_minutes, before.max_minutes),
    ...unchangedTurns(kept(change.max_unchanged_turns, before.max_unchanged_turns)),
    gates: kept(change.gates, before.gates) ?? [],
    test_commands: kept(change.test_commands, before.test_commands),
  });
}

/** Without a number the setting of the daemon counts, also when it changes later. */
function unchangedTurns(
  turns: number | null | undefined,
): Pick<EndCriteria, 'max_unchanged_turns'> {
  return turns == null ? {} : { max_unchanged_turns: turns };
}

function kept<Value>(given: Value | undefined, before: Value): Value {
  return given === undefined ? before : given;
}

function textOf(text: string | null | undefined): string | null {
  const trimmed = (text ?? '').trim();
  return trimmed === '' ? null : trimmed;
}

/** A gate replaces criteria in words. */
function warned(criteria: Omit<EndCriteria, 'warning'>): EndCriteria {
  const hasCriteria = criteria.criteria !== null || criteria.gates.length > 0;
  return hasCriteria ? criteria : { ...criteria, warning: WARNING };
}
