/** The morning report and the history of work, connected to what the daemon keeps. */
import type { Clock } from '../lib/clock.ts';
import { type ReportedWork, Reports } from '../report/reports.ts';
import { UnitHistories } from '../report/unit-histories.ts';
import { statusOf } from '../runs/machine/step.ts';
import { ownerOf } from '../runs/stores/run-record.ts';
import { findGitLocation } from '../worktrees/git/git-location.ts';
import type { Services } from './open-services.ts';
import type { Store } from './open-store.ts';

export function openReports(
  { log }: Pick<Store, 'log'>,
  { tasks, phased, usage, attention, modules }: Services,
  clock: Clock,
): { reports: Reports; histories: UnitHistories } {
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
  const reports = { log, clock, usage: usage.reports, worktrees, attention, work, titleOf };
  /** A directory does not move to another repository often; a restart notices it. */
  const roots = new Map<string, string | null>();
  const rootOf = (directory: string) => {
    const known = roots.get(directory);
    if (known !== undefined) return known;
    let root: string | null = null;
    try {
      root = findGitLocation(directory)?.top ?? null;
    } catch {
      // A directory that may not be read counts as its own root.
    }
    roots.set(directory, root);
    return root;
  };
  return {
    reports: new Reports(reports),
    histories: new UnitHistories({ log, clock, work, titleOf, rootOf }),
  };
}
