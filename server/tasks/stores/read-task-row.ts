/** From a stored row to a task, also where nobody can understand the row any more. */
import { z } from 'zod';
import { EndCriteria } from '../../../shared/schema/tasks/end-criteria.ts';
import { TaskStatus } from '../../../shared/schema/tasks/task-status.ts';
import type { tasks } from '../../db/task-schema.ts';
import { messageOf } from '../../lib/app-error.ts';
import { endCriteriaOf } from '../criteria/end-criteria.ts';
import { freshTask } from '../machine/fresh-task.ts';
import type { TaskState } from '../machine/task-state.ts';
import type { TaskPlan, TaskRecord } from './task-record.ts';

type Row = typeof tasks.$inferSelect;

/** As much as tells a record from remains; what the daemon itself wrote is whole. */
const StoredState = z.looseObject({
  status: TaskStatus,
  stage: z.enum([
    'none',
    'queued',
    'preparing',
    'talking',
    'judging',
    'testing',
    'waiting',
    'ending',
  ]),
  next: z.looseObject({ kind: z.string() }),
  iterations: z.int(),
  activeMs: z.number(),
});
const StoredPlan = z.looseObject({
  description: z.string(),
  rootFolder: z.string(),
  criteria: EndCriteria,
  projects: z.array(z.looseObject({ path: z.string() })),
  dependsOn: z.array(z.string()),
});

/** Takes a row; gives the task. Of one that cannot be read it gives a failed task that says so. */
export function readTaskRow(row: Row): TaskRecord {
  const { id, taskName, sessionId, createdBy, createdAt, updatedAt } = row;
  const known = { id, name: taskName, sessionId, createdBy, createdAt, updatedAt };
  let plan = emptyPlan(row.rootFolder);
  try {
    plan = checked(StoredPlan, row.plan) as TaskPlan;
    return { ...known, plan, state: checked(StoredState, row.state) as TaskState };
  } catch (error) {
    const why = `cannot read the stored task: ${messageOf(error)}`;
    const state: TaskState = {
      ...freshTask(),
      status: 'FAILED',
      reason: 'corrupt_record',
      error: why,
    };
    return { ...known, plan, state };
  }
}

/** Checked, and given as it was stored. */
function checked(schema: z.ZodType, text: string): unknown {
  const value: unknown = JSON.parse(text);
  schema.parse(value);
  return value;
}

/** Of a task nobody knows anything about but where it was. */
function emptyPlan(rootFolder: string): TaskPlan {
  return {
    description: '',
    rootFolder,
    branchName: null,
    baseBranch: null,
    gitRepo: null,
    isRepository: false,
    useWorktree: false,
    criteria: endCriteriaOf({ gates: [], max_iterations: null }),
    projects: [],
    projectContext: '',
    customHumanInput: null,
    permissionMode: 'default',
    priority: 0,
    dependsOn: [],
  };
}
