/**
 * What the host runs to see whether a task is done: the project's tests where the work stands, and
 * gates in a clean checkout of the very commit. Exit codes decide; what cannot be run has failed.
 */
import { TURN_VARIABLE } from '../../agents/headless/turn-processes.ts';
import { messageOf } from '../../lib/app-error.ts';
import { toIso } from '../../lib/clock.ts';
import type { TestCase } from '../../../shared/tasks/task.ts';
import type { TaskHappening } from '../machine/task-state.ts';
import { type HostCommandResult, runHostCommand } from './host-command.ts';
import { projectMarkers } from './project-markers.ts';
import { testCommand } from './project-type.ts';
import type { EffectOptions } from '../executor/task-effects.ts';
import type { NewTestCase, TestResult } from '../stores/test-case-store.ts';
import { workPlaces } from '../executor/work-places.ts';

/** How pytest says that there are no tests. */
const NO_TESTS = 5;

type Command = readonly string[] | string;

/** Takes a task's id; gives what the processes of its tests and gates carry. */
export function checkMark(taskId: string): string {
  return `${taskId}-check`;
}

export class HostCheck {
  readonly #options: EffectOptions;

  constructor(options: EffectOptions) {
    this.#options = options;
  }

  /** Runs all of them; gives what they come to, or null when it was cut off. */
  async test(signal: AbortSignal): Promise<TaskHappening | null> {
    const { plan } = this.#options.record();
    const { cwd } = workPlaces(this.#options);
    const commit = await this.#commit();
    const tests = this.#tests(cwd);
    const cases = this.#announce(
      tests.map(({ name }) => ({ type: 'regression' as const, name, command: name })),
      commit,
    );
    let failed: 'tests_failed' | 'gate_failed' | null = null;
    let detail = '';
    let ran = 0;
    const note = (testCase: TestCase, result: TestResult) => {
      this.#finish(testCase, result);
      if (result.status !== 'skipped') ran += 1;
      if (result.status !== 'failed' || failed !== null) return;
      failed = testCase.type === 'gate' ? 'gate_failed' : 'tests_failed';
      detail = `${testCase.name}: ${endOf(result)}`;
    };
    for (const testCase of cases) {
      const test = tests.find(({ name }) => name === testCase.name);
      if (testCase.type === 'regression' && test !== undefined) {
        note(testCase, await this.#run(test.command, cwd, signal));
      }
      if (signal.aborted) return null;
    }
    const gates = cases.filter(({ type }) => type === 'gate');
    if (gates.length > 0) await this.#runGates(gates, commit, signal, note);
    if (signal.aborted) return null;
    const outcome = failed ?? (ran === 0 ? 'none' : 'passed');
    return { kind: 'tested', outcome, commit, detail: detail || plan.rootFolder };
  }

  /** The commit of exactly what stands there; null without git. */
  async #commit(): Promise<string | null> {
    const { worktrees, record } = this.#options;
    const [own] = worktrees.of(record().id);
    return own === undefined ? null : (await worktrees.snapshot(own)).commit;
  }

  #tests(cwd: string): { name: string; command: Command }[] {
    const { test_commands: given } = this.#options.record().plan.criteria;
    if (given !== null) return given.map((command) => ({ name: command, command }));
    const found = testCommand(projectMarkers(cwd));
    return found === null ? [] : [{ name: found.join(' '), command: found }];
  }

  /** Says what will run, before it does. */
  #announce(
    tests: readonly Pick<NewTestCase, 'type' | 'name' | 'command'>[],
    commit: string | null,
  ) {
    const { log, testCases, record, clock } = this.#options;
    const { id, name: task, plan } = record();
    const gates = plan.criteria.gates.map((gate) => ({ type: 'gate' as const, ...gate }));
    const at = toIso(clock.now());
    return log.write((append) => {
      const cases = testCases.replace(
        id,
        [...tests, ...gates].map((each) => ({ ...each, commit, at })),
      );
      for (const testCase of cases) append(event(task, testCase));
      return cases;
    });
  }

  async #runGates(
    gates: readonly TestCase[],
    commit: string | null,
    signal: AbortSignal,
    note: (testCase: TestCase, result: TestResult) => void,
  ): Promise<void> {
    const { worktrees, record } = this.#options;
    const [own] = worktrees.of(record().id);
    const refuse = (why: string) => {
      const nothing = { status: 'failed', exit_code: null, output: why, duration_ms: 0 } as const;
      for (const gate of gates) note(gate, nothing);
    };
    if (own === undefined || commit === null) return refuse('there is no commit to check out');
    let checkout;
    try {
      checkout = await worktrees.checkout(own, commit);
    } catch (error) {
      return refuse(messageOf(error));
    }
    try {
      for (const gate of gates) {
        note(gate, await this.#run(gate.command, checkout.path, signal));
        if (signal.aborted) return;
      }
    } finally {
      await checkout.dispose();
    }
  }

  async #run(command: Command, directory: string, signal: AbortSignal): Promise<TestResult> {
    const { environment, clock, testTimeoutMs: timeoutMs, record } = this.#options;
    const marker = { name: TURN_VARIABLE, value: checkMark(record().id) };
    const bounds = { directory, environment, clock, timeoutMs, signal, marker };
    const result = await runHostCommand(command, bounds);
    const { exit_code, output, duration_ms } = result;
    return { status: statusOf(result, command), exit_code, output, duration_ms };
  }

  #finish(testCase: TestCase, result: TestResult): void {
    const { log, testCases, record } = this.#options;
    log.write((append) => {
      testCases.finish(testCase.id, result);
      append(event(record().name, { ...testCase, ...result }));
    });
  }
}

function statusOf({ status, exit_code }: HostCommandResult, command: Command) {
  return exit_code === NO_TESTS && command[0] === 'pytest' ? 'skipped' : status;
}

function endOf({ exit_code, output }: TestResult): string {
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  return `${exit_code === null ? 'did not end by itself' : `exit code ${exit_code}`}. ${last}`.trim();
}

function event(task: string, testCase: TestCase) {
  const { id, type, name, status, exit_code, duration_ms, commit } = testCase;
  const data = { task, id, type, name, status, exit_code, duration_ms, commit };
  return { type: 'task.tests' as const, data };
}
