/** The input of the form of a new task, and the request built from it. Pure. */
import { trimSlashes } from '$lib/directory/typed-path.ts';
import { filledGates, testCommands, type TestValues } from '$lib/host-tests/test-choice.ts';
import { ANY_HOST } from '$shared/rules/any-host.ts';
import type { PermissionMode } from '$shared/schema/tasks/permission-mode.ts';
import type { Project } from '$shared/schema/tasks/project.ts';
import type { CreateTaskBody } from '$shared/schema/tasks/task.ts';

export type TaskBody = CreateTaskBody;

export interface OtherProject {
  path: string;
  access: 'write' | 'read';
  /** What a copied task has set for this path; void for another one. */
  copied?: Project;
}

export interface TaskValues extends TestValues {
  /** Null until a name is typed; until then it is derived from the description. */
  typedName: string | null;
  description: string;
  rootFolder: string;
  baseBranch: string;
  useWorktree: boolean;
  others: OtherProject[];
  criteria: string;
  context: string;
  maxIterations: number | null;
  maxTokens: number | null;
  maxCost: number | null;
  maxMinutes: number | null;
  /** 0 is never, null the setting of the daemon. */
  maxUnchangedTurns: number | null;
  priority: number | null;
  dependsOn: string[];
  permissionMode: PermissionMode;
  autoStart: boolean;
  /** In a fleet: `any` or the name of a host; '' is the host of the page. */
  where: string;
  /** Only for `any`. */
  labels: string[];
}

const DEFAULT_ITERATIONS = 20;

export function emptyValues(): TaskValues {
  return {
    typedName: null,
    description: '',
    rootFolder: '',
    baseBranch: '',
    useWorktree: true,
    others: [],
    criteria: '',
    context: '',
    maxIterations: DEFAULT_ITERATIONS,
    maxTokens: null,
    maxCost: null,
    maxMinutes: null,
    maxUnchangedTurns: null,
    gates: [],
    tests: 'found',
    testCommands: '',
    priority: 0,
    dependsOn: [],
    permissionMode: 'acceptEdits',
    autoStart: true,
    where: '',
    labels: [],
  };
}

function placementOf({ where, labels }: TaskValues): Pick<TaskBody, 'placement'> {
  if (where === '') return {};
  return {
    placement: { host: where, ...(where === ANY_HOST && labels.length > 0 ? { labels } : {}) },
  };
}

export function taskBody(values: TaskValues, name: string): TaskBody {
  const others = values.others.filter(({ path }) => path.trim() !== '');
  const root = trimSlashes(values.rootFolder);
  return {
    task_name: name,
    description: values.description.trim(),
    root_folder: root,
    use_worktree: values.useWorktree,
    auto_start: values.autoStart,
    max_iterations: values.maxIterations,
    max_tokens: values.maxTokens,
    max_cost_usd: values.maxCost,
    max_minutes: values.maxMinutes,
    max_unchanged_turns: values.maxUnchangedTurns,
    gates: filledGates(values),
    test_commands: testCommands(values),
    priority: values.priority ?? 0,
    depends_on: values.dependsOn,
    permission_mode: values.permissionMode,
    ...placementOf(values),
    ...(values.baseBranch.trim() === '' ? {} : { base_branch: values.baseBranch.trim() }),
    ...(values.criteria.trim() === '' ? {} : { end_criteria: values.criteria.trim() }),
    ...(values.context.trim() === '' ? {} : { project_context: values.context.trim() }),
    ...(others.length === 0 ? {} : { projects: others.map(projectOf) }),
  };
}

function projectOf(other: OtherProject): Partial<Project> & Pick<Project, 'path' | 'access'> {
  return { ...copiedFor(other), path: trimSlashes(other.path), access: other.access };
}

/** What was copied with this project, if it still has the same path. */
export function copiedFor({ path, copied }: OtherProject): Project | null {
  return copied !== undefined && copied.path === trimSlashes(path) ? copied : null;
}
