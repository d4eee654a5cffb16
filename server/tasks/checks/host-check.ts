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
type Done = TestCase;

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
    const { cwd } = workPlaces(this.#options);
    const commit = await this.#commit();
    const tests = this.#tests(cwd);
    const cases = this.#announce(tests, commit);
    const done: Done[] = [];
    for (const { command } of tests) {
      const testCase = cases[done.length];
      if (testCase === undefined || signal.aborted) break;
      done.push(this.#finish(testCase, await this.#run(command, cwd, signal)));
    }
    const gates = cases.slice(tests.length);
    if (gates.length > 0 && !signal.aborted) {
      done.push(...(await this.#runGates(gates, commit, signal)));
    }
    return signal.aborted ? null : { kind: 'tested', commit, ...outcomeOf(done) };
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

  /** Says what will run, before it does: the tests, then the gates. */
  #announce(tests: readonly { name: string }[], commit: string | null): TestCase[] {
    const { log, testCases, record, clock } = this.#options;
    const { id, name: task, plan } = record();
    const shared = { commit, at: toIso(clock.now()) };
    const all: NewTestCase[] = [
      ...tests.map(({ name }) => ({ type: 'regression' as const, name, command: name, ...shared })),
      ...plan.criteria.gates.map((gate) => ({ type: 'gate' as const, ...gate, ...shared })),
    ];
    return log.write((append) => {
      const cases = testCases.replace(id, all);
      for (const testCase of cases) append(event(task, testCase));
      return cases;
    });
  }

  async #runGates(
    gates: readonly TestCase[],
    commit: string | null,
    signal: AbortSignal,
  ): Promise<Done[]> {
    const { worktrees, record } = this.#options;
    const [own] = worktrees.of(record().id);
    const refuse = (output: string) => {
      const nothing = { status: 'failed', exit_code: null, output, duration_ms: 0 } as const;
      return gates.map((gate) => this.#finish(gate, nothing));
    };
    if (own === undefined || commit === null) return refuse('there is no commit to check out');
    let checkout;
    try {
      checkout = await worktrees.checkout(own, commit);
    } catch (error) {
      return refuse(messageOf(error));
    }
    try {
      const done: Done[] = [];
      for (const gate of gates) {
        if (signal.aborted) break;
        done.push(this.#finish(gate, await this.#run(gate.command, checkout.path, signal)));
      }
      return done;
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

  #finish(testCase: TestCase, result: TestResult): Done {
    const { log, testCases, record } = this.#options;
    const done = { ...testCase, ...result };
    log.write((append) => {
      testCases.finish(testCase.id, result);
      append(event(record().name, done));
    });
    return done;
  }
}

/** The first that failed decides; with nothing that ran nothing is proven. */
function outcomeOf(done: readonly Done[]) {
  const failed = done.find(({ status }) => status === 'failed');
  if (failed !== undefined) {
    const outcome = failed.type === 'gate' ? ('gate_failed' as const) : ('tests_failed' as const);
    return { outcome, detail: `${failed.name}: ${endOf(failed)}` };
  }
  const ran = done.some(({ status }) => status !== 'skipped');
  return { outcome: ran ? ('passed' as const) : ('none' as const), detail: '' };
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
