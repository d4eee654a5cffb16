/** The morning report, connected to what the daemon keeps. */
import type { Clock } from '../lib/clock.ts';
import { type ReportedWork, Reports } from '../report/reports.ts';
import { statusOf } from '../runs/machine/step.ts';
import { ownerOf } from '../runs/stores/run-record.ts';
import type { Services } from './open-services.ts';
import type { Store } from './open-store.ts';

export function openReports(
  { log }: Pick<Store, 'log'>,
  { tasks, phased, usage, attention, modules }: Services,
  clock: Clock,
): Reports {
  const work = (): ReportedWork[] => [
    ...tasks.scheduler.records().map(({ id, name, plan, state, createdBy, createdAt }) => ({
      kind: 'task' as const,
      name,
      createdAt,
      by: createdBy,
      asked: plan.description,
      project: plan.rootFolder,
      branch: plan.branchName,
      status: state.status,
      owner: id,
      dependsOn: plan.dependsOn,
    })),
    ...phased.board.records().map(({ id, request, state, createdBy, createdAt }) => ({
      kind: 'run' as const,
      name: id,
      createdAt,
      by: createdBy,
      asked: request.options.prompt,
      project: request.directory,
      branch: request.options.branch ?? null,
      status: statusOf(state.now),
      owner: ownerOf(id),
      dependsOn: [],
    })),
  ];
  const titleOf = (directory: string) =>
    modules.list().modules.find(({ path }) => path === directory)?.title ?? null;
  const { worktrees } = tasks;
  return new Reports({ log, clock, usage: usage.reports, worktrees, attention, work, titleOf });
}
