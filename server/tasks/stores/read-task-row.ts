/** Turns a stored row into a task, even if the row is unreadable. */
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

/** Enough to distinguish a record from remains; rows written by the daemon itself are complete. */
const StoredState = z.looseObject({
  status: TaskStatus,
  stage: z.enum([
    'none',
    'queued',
    'preparing',
    'talking',
    'judging',
    'measuring',
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

/** An unreadable row becomes a failed task that reports the problem. */
export function readTaskRow(row: Row): TaskRecord {
  const { id, taskName, sessionId: projectId, createdBy, createdAt, updatedAt } = row;
  const known = { id, name: taskName, projectId, createdBy, createdAt, updatedAt };
  let plan = emptyPlan(row.rootFolder);
  try {
    plan = checked(StoredPlan, row.plan) as TaskPlan;
    const stored = checked(StoredState, row.state) as TaskState;
    // An earlier version stored fewer fields.
    return { ...known, plan, state: { ...freshTask(), ...stored } };
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

/** Validated, and returned as stored. */
function checked(schema: z.ZodType, text: string): unknown {
  const value: unknown = JSON.parse(text);
  schema.parse(value);
  return value;
}

/** For a task of which only the directory is known. */
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
