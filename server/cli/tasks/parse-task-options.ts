/** From the options of `task create` to the body of the request. Pure but for the words it reads. */
import { resolve } from 'node:path';
import type { z } from 'zod';
import { ANY_HOST } from '../../../shared/rules/any-host.ts';
import type { Gate } from '../../../shared/schema/tasks/end-criteria.ts';
import type { PermissionMode } from '../../../shared/schema/tasks/permission-mode.ts';
import type { CreateTask } from '../../../shared/schema/tasks/task.ts';
import { usage } from '../command-parts.ts';

export interface CreateOptions {
  description: string;
  root?: string;
  branch?: string;
  base?: string;
  worktree: boolean;
  context?: string;
  criteria?: string;
  maxIterations?: number;
  maxTokens?: number;
  maxCost?: number;
  maxMinutes?: number;
  maxUnchangedTurns?: number;
  gate: string[];
  /** Absent: the daemon finds out. */
  test?: string[];
  tests: boolean;
  project: string[];
  priority?: number;
  /** Names of tasks. */
  after: string[];
  permissionMode?: PermissionMode;
  start?: boolean;
  /** `any`, or the name of a host of the fleet. */
  host?: string;
  label: string[];
  id?: string;
}

type Body = z.input<typeof CreateTask>;

/**
 * The request for a new task. `read` turns `-` and `@FILE` into text. Throws a CliError (usage) for
 * options that contradict each other.
 */
export function taskBody(
  name: string,
  options: CreateOptions,
  directory: string,
  read: (given: string) => string,
): Body {
  const { description, criteria, context, project } = options;
  const projects = project.map((word) => parseProject(word, directory));
  return {
    task_name: name,
    description: read(description),
    root_folder: rootOf(options.root, projects, directory),
    use_worktree: options.worktree,
    auto_start: options.start === true,
    ...given('branch_name', options.branch),
    ...given('base_branch', options.base),
    ...given('project_context', context === undefined ? undefined : read(context)),
    ...given('end_criteria', criteria === undefined ? undefined : read(criteria)),
    ...given('max_iterations', options.maxIterations),
    ...given('max_tokens', options.maxTokens),
    ...given('max_cost_usd', options.maxCost),
    ...given('max_minutes', options.maxMinutes),
    ...given('max_unchanged_turns', options.maxUnchangedTurns),
    ...given('gates', options.gate.length === 0 ? undefined : options.gate.map(parseGate)),
    ...given('test_commands', testsOf(options)),
    ...given('projects', projects.length === 0 ? undefined : projects),
    ...given('priority', options.priority),
    ...given('depends_on', options.after.length === 0 ? undefined : options.after),
    ...given('permission_mode', options.permissionMode),
    ...given('placement', placementOf(options)),
    ...given('id', options.id),
  };
}

/** Labels alone leave the choice of the host. */
function placementOf({ host, label }: CreateOptions): Body['placement'] {
  if (host === undefined && label.length === 0) return undefined;
  return { host: host ?? ANY_HOST, ...(label.length === 0 ? {} : { labels: label }) };
}

/** From `name=command`. Throws a CliError (usage). */
export function parseGate(text: string): Gate {
  const [, name = '', command = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (name.trim() === '' || command.trim() === '') {
    throw usage(`--gate: "${text}" is not name=command, e.g. 'lint=npm run lint'`);
  }
  return { name: name.trim(), command: command.trim() };
}

/** From `path`, `path:read` or `path:write`; `directory` is where a relative path starts. */
export function parseProject(
  text: string,
  directory: string,
): { path: string; access: 'read' | 'write' } {
  const [, path = '', access] = /^(.*?)(?::(read|write))?$/s.exec(text) ?? [];
  if (path === '') throw usage(`--project: "${text}" is not a path, or path:read for read-only`);
  return { path: resolve(directory, path), access: access === 'read' ? 'read' : 'write' };
}

/** With projects named, the first that is written to is where the task is at home. */
function rootOf(
  root: string | undefined,
  projects: readonly ReturnType<typeof parseProject>[],
  directory: string,
): string {
  if (root !== undefined) return resolve(directory, root);
  return projects.find(({ access }) => access === 'write')?.path ?? directory;
}

function testsOf({ test, tests }: CreateOptions): string[] | undefined {
  if (tests) return test;
  if (test !== undefined) throw usage('--test and --no-tests cannot be combined');
  return [];
}

function given<Key extends keyof Body>(key: Key, value: Body[Key]): Partial<Pick<Body, Key>> {
  return value === undefined ? {} : ({ [key]: value } as Partial<Pick<Body, Key>>);
}
