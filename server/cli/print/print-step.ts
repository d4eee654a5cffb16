/** What `loopwatch step` prints for people. Nothing an agent wrote reaches the terminal raw. */
import { oneLine } from '../../../shared/rules/text/plain-text.ts';
import { countText } from '../../../shared/words/count-text.ts';
import { type Route, STOP } from '../../../shared/rules/loops/loop-steps.ts';
import type { FirstStep } from '../../modules/first-step.ts';
import type { AutoSignal } from '../../../shared/schema/loops/auto-signal.ts';
import type { ChecksReport } from '../../modules/project-checks.ts';
import type { StopRequest } from '../../modules/stop-request.ts';
import type { TaskModule } from '../../modules/task-module.ts';

const MAX_LINE = 300;

type ModuleStatus = TaskModule & {
  signal: AutoSignal | null;
  lock: { pid: number; run: string | null; is_alive: boolean } | null;
  stop: StopRequest | null;
};

export function entryLines({ status, next, checkpoint, iteration, reason }: FirstStep): string[] {
  return [`status ${status}, iteration ${iteration}`, nextLine(next, checkpoint, reason)];
}

export function doneLines(signal: AutoSignal, route: Route): string[] {
  const { step, result, next, checkpoint, iteration = 0 } = signal;
  return [
    `${step} ${result}, iteration ${iteration}`,
    nextLine(
      next,
      checkpoint,
      route.stop === null ? route.meaning : `${route.stop}: ${route.meaning}`,
    ),
  ];
}

export function statusLines(module: ModuleStatus): string[] {
  const { title, status, phase, completed_steps, branch, base, worktree, signal, lock, stop } =
    module;
  const into = base === '' ? '' : `, to be merged into ${base}`;
  const lines: [string, string][] = [
    ['task', title],
    ['status', phase === '' ? status : `${status} (${phase})`],
    ['progress', `${countText(completed_steps, 'step')} of the plan done`],
    ['branch', branch === '' ? 'none' : `${branch}${into}`],
    ['worktree', worktree],
    ['signal', signal === null ? 'none' : signalText(signal)],
    [
      'lock',
      lock === null ? 'free' : `process ${lock.pid}${lock.is_alive ? '' : ', which has ended'}`,
    ],
    ['stop', stop === null ? 'not requested' : stop.reason],
  ];
  return lines
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name.padEnd(9)} ${oneLine(text, MAX_LINE)}`);
}

export function checkLines({ checks }: ChecksReport): string[] {
  return checks.flatMap(({ command, status, exit_code, duration_ms, output }) => {
    const code = exit_code === null ? 'did not exit' : `exit code ${exit_code}`;
    const head = `${status.replace('_', ' ')}: ${oneLine(command, MAX_LINE)} (${code}, ${duration_ms} ms)`;
    return status === 'passed'
      ? [head]
      : [head, ...output.split('\n').map((line) => `  | ${line}`)];
  });
}

function nextLine(next: string, checkpoint: string, reason: string): string {
  const where = next === STOP || checkpoint === '' ? next : `${next} at ${checkpoint}`;
  return `next: ${where} (${reason})`;
}

function signalText({ step, result, next, iteration }: AutoSignal): string {
  return `${step} ${result}, next ${next}, iteration ${iteration ?? 'unknown'}`;
}
