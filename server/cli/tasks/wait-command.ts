/** `loopwatch task wait`: ends when the task does or when it needs a person, with a code for scripts. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { AttentionItem } from '../../../shared/schema/attention/attention.ts';
import { oneLine } from '../../../shared/rules/text/plain-text.ts';
import { reasonText } from '../../../shared/words/reason-text.ts';
import { taskNextStep } from '../../../shared/words/work/task-next-step.ts';
import type { TaskStatusView } from '../../../shared/schema/tasks/task.ts';
import { request } from '../client.ts';
import { CliError, ExitCode } from '../exit-code.ts';
import { type Json, parseTaskName } from '../command-parts.ts';
import { notice, print, printJson } from '../print/print.ts';
import { Progress } from '../print/progress.ts';

const POLL_EVERY_MS = 1_000;
const ALL = '1000';
const MAX_LINE = 300;

export interface TaskEnd {
  code: number;
  text: string;
}

export function addWaitCommand(task: Command): void {
  task
    .command('wait')
    .description(
      'wait until a task ends or needs attention; exits with 0 completed, 10 failed, 11 exhausted, 12 stopped, 13 needs attention',
    )
    .argument('<task>', '', parseTaskName)
    .option('--through', 'keep waiting while human input is needed')
    .option('--json', 'output the final status as JSON')
    .action(async (name: string, { through, json }: Json & { through?: boolean }) => {
      const { view, end } = await waitFor(name, through === true);
      if (json === true) printJson(view);
      if (end.code !== ExitCode.ok) throw new CliError(end.code, end.text);
      if (json !== true) print([end.text]);
    });
}

/** Null until it ends; `need` is what it needs a person for. */
export function taskEnd(
  view: Pick<TaskStatusView, 'task_name' | 'status' | 'reason' | 'summary' | 'error_message'>,
  need: Pick<AttentionItem, 'reason' | 'title'> | null,
): TaskEnd | null {
  const { task_name: name, status, reason, summary, error_message } = view;
  const why = reason === null ? '' : `: ${reasonText(reason).label}`;
  const words = error_message === null ? '' : ` (${oneLine(error_message, MAX_LINE)})`;
  const next = reason === null ? '' : `. ${taskNextStep(reason)}`;
  const end = (code: number, word: string) => ({
    code,
    text: `${name} ${word}${why}${words}${next}`,
  });
  switch (status) {
    case 'COMPLETED': {
      const said = summary === null ? '' : `: ${oneLine(summary, MAX_LINE)}`;
      return { code: ExitCode.ok, text: `${name} completed${said}` };
    }
    case 'FAILED':
      return end(ExitCode.taskFailed, 'failed');
    case 'EXHAUSTED':
      return end(ExitCode.taskExhausted, 'is exhausted');
    case 'STOPPED':
      return end(ExitCode.taskStopped, 'was stopped');
    default: {
      if (need === null) return null;
      const asked = `${reasonText(need.reason).label}: ${oneLine(need.title, MAX_LINE)}`;
      const text = `${name} needs attention: ${asked} – ${taskNextStep(need.reason)}`;
      return { code: ExitCode.personNeeded, text };
    }
  }
}

async function waitFor(
  name: string,
  isThrough: boolean,
): Promise<{ view: TaskStatusView; end: TaskEnd }> {
  let isLost = false;
  using progress = new Progress();
  for (let poll = 0; ; poll += 1) {
    try {
      const view = await request('getTaskStatus', { params: { name } });
      const end = taskEnd(view, isThrough || view.status !== 'PAUSED' ? null : await needOf(name));
      if (end !== null) return { view, end };
      progress.show(`waiting for ${name}: ${waitText(view)}`);
      isLost = false;
    } catch (error) {
      // A daemon that was there comes back; one that never was has to be started.
      const isAway = error instanceof CliError && error.exitCode === ExitCode.notRunning;
      if (!isAway || poll === 0) throw error;
      progress.end();
      if (!isLost) notice('the daemon does not answer; waiting for it');
      isLost = true;
    }
    await sleep(POLL_EVERY_MS);
  }
}

function waitText({ status, wait }: TaskStatusView): string {
  return wait === null ? status.toLowerCase() : reasonText(wait.reason).label;
}

async function needOf(name: string): Promise<AttentionItem | null> {
  const { items } = await request('listAttention', { query: { limit: ALL } });
  return items.find(({ task }) => task === name) ?? null;
}
