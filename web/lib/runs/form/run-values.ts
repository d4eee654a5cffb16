/** The input of the form of a new run, and the request built from it. Pure. */
import { trimSlashes } from '$lib/directory/typed-path.ts';
import { filledGates, testCommands, type TestValues } from '$lib/host-tests/test-choice.ts';
import {
  DEFAULT_FIX_ROUNDS,
  DEFAULT_RUN_MINUTES,
  DEFAULT_SAME_FAILURES,
} from '$shared/rules/work/run-limits.ts';
import { WORK_PHASES } from '$shared/rules/work/run-phases.ts';
import type { StartRunBody } from '$shared/schema/runs/run-requests.ts';
import type { WorkPhase } from '$shared/schema/runs/run-phase.ts';
import type { PermissionMode } from '$shared/schema/tasks/permission-mode.ts';

export interface RunValues extends TestValues {
  prompt: string;
  cwd: string;
  reviewPlan: boolean;
  model: string;
  maxFixRounds: number | null;
  /** Null: no limit, as for cost and tokens. */
  maxMinutes: number | null;
  maxCost: number | null;
  maxTokens: number | null;
  sameFailures: number | null;
  permissionMode: PermissionMode;
  useWorktree: boolean;
  branch: string;
  baseBranch: string;
  mergeInto: string;
  /** Empty: the model of the run. */
  phaseModels: Record<WorkPhase, string>;
}

export function emptyValues(): RunValues {
  return {
    prompt: '',
    cwd: '',
    reviewPlan: false,
    model: '',
    maxFixRounds: DEFAULT_FIX_ROUNDS,
    maxMinutes: DEFAULT_RUN_MINUTES,
    maxCost: null,
    maxTokens: null,
    sameFailures: DEFAULT_SAME_FAILURES,
    permissionMode: 'acceptEdits',
    useWorktree: true,
    branch: '',
    baseBranch: '',
    mergeInto: '',
    phaseModels: { plan: '', execute: '', review: '', fix: '' },
    tests: 'found',
    testCommands: '',
    gates: [],
  };
}

export function runBody(values: RunValues): StartRunBody {
  const phases = WORK_PHASES.flatMap((phase) => {
    const model = values.phaseModels[phase].trim();
    return model === '' ? [] : [[phase, { model }] as const];
  });
  const { maxFixRounds, sameFailures, useWorktree } = values;
  return {
    prompt: values.prompt.trim(),
    cwd: trimSlashes(values.cwd),
    review_plan: values.reviewPlan,
    permission_mode: values.permissionMode,
    use_worktree: useWorktree,
    max_minutes: values.maxMinutes,
    max_cost_usd: values.maxCost,
    max_tokens: values.maxTokens,
    test_commands: testCommands(values),
    gates: filledGates(values),
    ...(phases.length === 0 ? {} : { phases: Object.fromEntries(phases) }),
    ...(maxFixRounds === null ? {} : { max_fix_rounds: maxFixRounds }),
    ...(sameFailures === null ? {} : { same_failure_limit: sameFailures }),
    ...named('model', values.model),
    ...(useWorktree ? named('branch', values.branch) : {}),
    ...(useWorktree ? named('base_branch', values.baseBranch) : {}),
    ...(useWorktree ? named('merge_into', values.mergeInto) : {}),
  };
}

/** Nothing for an empty field. */
function named(
  key: 'model' | 'branch' | 'base_branch' | 'merge_into',
  text: string,
): Partial<StartRunBody> {
  return text.trim() === '' ? {} : { [key]: text.trim() };
}
