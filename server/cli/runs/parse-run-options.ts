/** From the options of `run start` to the body of the request. Pure. */
import { resolve } from 'node:path';
import { WORK_PHASES } from '../../../shared/rules/work/run-phases.ts';
import { WorkPhase } from '../../../shared/schema/runs/run-phase.ts';
import type { StartRunBody } from '../../../shared/schema/runs/run-requests.ts';
import type { PermissionMode } from '../../../shared/schema/tasks/permission-mode.ts';
import { usage } from '../command-parts.ts';
import { parseGate } from '../tasks/parse-task-options.ts';

export interface StartOptions {
  cwd?: string;
  model?: string;
  /** `phase=model`. */
  phaseModel: string[];
  permissionMode?: PermissionMode;
  reviewPlan?: boolean;
  maxFix?: number;
  maxMinutes?: number;
  maxCost?: number;
  maxTokens?: number;
  /** Absent: the daemon finds out. */
  test?: string[];
  tests: boolean;
  /** `name=command`. */
  gate: string[];
  branch?: string;
  base?: string;
  mergeInto?: string;
  worktree: boolean;
}

/**
 * The request for a new run; what is left out is left to the daemon. `directory` is where a relative
 * path starts. Throws a CliError (usage) for options that contradict each other.
 */
export function runBody(prompt: string, options: StartOptions, directory: string): StartRunBody {
  const { gate, phaseModel } = options;
  return {
    prompt,
    cwd: resolve(directory, options.cwd ?? '.'),
    use_worktree: options.worktree,
    review_plan: options.reviewPlan === true,
    ...given('model', options.model),
    ...given('phases', phaseModel.length === 0 ? undefined : parsePhaseModels(phaseModel)),
    ...given('permission_mode', options.permissionMode),
    ...given('max_fix_rounds', options.maxFix),
    ...given('max_minutes', options.maxMinutes),
    ...given('max_cost_usd', options.maxCost),
    ...given('max_tokens', options.maxTokens),
    ...given('test_commands', testsOf(options)),
    ...given('gates', gate.length === 0 ? undefined : gate.map(parseGate)),
    ...given('branch', options.branch),
    ...given('base_branch', options.base),
    ...given('merge_into', mergeTarget(options)),
  };
}

function parsePhaseModels(words: readonly string[]): StartRunBody['phases'] {
  const models = words.map((word) => {
    const [, name = '', model = ''] = /^(\w+)=(.+)$/s.exec(word) ?? [];
    const phase = WorkPhase.safeParse(name);
    if (phase.success) return [phase.data, { model }] as const;
    const phases = WORK_PHASES.join(', ');
    throw usage(`--phase-model: "${word}" is not phase=model with one of ${phases}`);
  });
  return Object.fromEntries(models);
}

function testsOf({ test, tests }: StartOptions): string[] | undefined {
  if (tests) return test;
  if (test !== undefined) throw usage('--test and --no-tests cannot be combined');
  return [];
}

function mergeTarget({ mergeInto, worktree }: StartOptions): string | undefined {
  if (mergeInto === undefined || worktree) return mergeInto;
  throw usage('--merge-into needs a branch of its own: it cannot be combined with --no-worktree');
}

function given<Key extends keyof StartRunBody>(
  key: Key,
  value: StartRunBody[Key],
): Partial<Pick<StartRunBody, Key>> {
  return value === undefined ? {} : ({ [key]: value } as Partial<Pick<StartRunBody, Key>>);
}
