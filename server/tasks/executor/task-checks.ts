/** The two ways a task's end is checked: by a model and by the host. */
import { join } from 'node:path';
import type { TestCase } from '../../../shared/schema/tasks/task.ts';
import { runChecks } from '../../checks/host-check.ts';
import { modelVerdict } from '../../checks/model-verdict.ts';
import { plannedChecks } from '../../checks/planned-checks.ts';
import { toIso } from '../../lib/clock.ts';
import { randomId } from '../../lib/random-id.ts';
import type { MachineInput } from '../machine/task-state.ts';
import type { EffectOptions } from './task-supervisor-options.ts';
import { taskWork } from './task-usage.ts';
import { workDirectories } from './work-directories.ts';

/** How many of the agent's last replies are judged. */
const REPLIES = 3;
/** Next to the directories of turns. */
export const CHECKS = 'checks';

/** Carried by the processes of a task's tests and gates. */
export function checkMark(taskId: string): string {
  return `${taskId}-check`;
}

/** Asks a model whether the criteria are met. */
export async function judgeTask(
  { conversations, interactions, usage, record, scratch, clock }: EffectOptions,
  signal: AbortSignal,
): Promise<MachineInput> {
  const { id, plan } = record();
  const work = {
    description: plan.description,
    criteria: plan.criteria.criteria ?? '',
    replies: interactions.lastReplies(id, REPLIES),
  };
  const options = { conversations, clock, scratchDirectory: join(scratch, CHECKS) };
  const { spent, ...judged } = await modelVerdict(work, options, signal);
  usage.addResult(randomId(), spent, taskWork(record()));
  return { kind: 'judged', ...judged };
}

/** Runs the task's tests and gates; each is announced before it runs. Null when it was aborted. */
export async function testTask(
  options: EffectOptions,
  signal: AbortSignal,
): Promise<MachineInput | null> {
  const { log, testCases, worktrees, record, clock, environment, testTimeoutMs } = options;
  const { id, name, plan } = record();
  const { cwd } = workDirectories(options);
  const [own] = worktrees.of(id);
  // The commit of exactly the current content; null without git.
  const commit = own === undefined ? null : (await worktrees.snapshot(own)).commit;
  const { test_commands: tests, gates } = plan.criteria;
  const checks = plannedChecks({ tests, gates }, cwd);
  const at = toIso(clock.now());
  const cases = log.write((append) => {
    const planned = checks.map((check) => ({
      type: check.type,
      name: check.name,
      command: typeof check.command === 'string' ? check.command : check.name,
      commit,
      at,
    }));
    const stored = testCases.replace(id, planned);
    for (const testCase of stored) append(testEvent(name, testCase));
    return stored;
  });
  const context = {
    directory: cwd,
    checkout:
      own === undefined || commit === null ? null : async () => worktrees.checkout(own, commit),
    mark: checkMark(id),
    environment,
    clock,
    timeoutMs: testTimeoutMs,
    finished: (index: number, result: Parameters<typeof testCases.finish>[1]) => {
      const testCase = cases[index];
      if (testCase === undefined) return;
      log.write((append) => {
        testCases.finish(testCase.id, result);
        append(testEvent(record().name, { ...testCase, ...result }));
      });
    },
  };
  const verdict = await runChecks(checks, context, signal);
  return verdict === null ? null : { kind: 'tested', commit, ...verdict };
}

function testEvent(task: string, testCase: TestCase) {
  const { id, type, name, status, exit_code, duration_ms, commit } = testCase;
  const data = { task, id, type, name, status, exit_code, duration_ms, commit };
  return { type: 'task.tests' as const, data };
}
