/** What the night needs, from what the daemon keeps; and a machine that stays awake while work is open. */
import type { Night, NightQuery } from '../../shared/schema/usage/night.ts';
import { FINAL_STATUSES } from '../../shared/schema/tasks/task-status.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import type { Config } from '../lib/config/config.ts';
import type { Scope } from '../lib/scope.ts';
import { loginUntil } from '../preflight/night/login-until.ts';
import { judgeNight, nextMorning } from '../preflight/night/night.ts';
import { plainPace } from '../preflight/night/pace.ts';
import { StayAwake } from '../preflight/night/stay-awake.ts';
import type { CachedChecks } from '../preflight/preflight.ts';
import { isAtWork as isRunAtWork } from '../runs/machine/step.ts';
import { isAtWork as isTaskAtWork } from '../tasks/machine/ending.ts';
import type { Services } from './open-services.ts';
import type { Store } from './open-store.ts';

/** Checked for uncommitted files: each takes git some hundred milliseconds. */
const MAX_WORKTREES = 20;
/** Events come in groups; no machine sleeps sooner. */
const SETTLE_MS = 2_000;

export function openNight(
  config: Readonly<Config>,
  { log }: Pick<Store, 'log'>,
  services: Services,
  { clock, checks }: { clock: Clock; checks: CachedChecks },
  scope: Scope,
): (query: NightQuery) => Promise<Night> {
  const { usage, budgets, alerts, shellEnvironment, tasks } = services;
  const awake = new StayAwake(shellEnvironment, config.stayAwake);
  scope.own(() => awake.dispose());
  const update = () => awake.update(hasOpenWork(services));
  update();
  let due: Timer | null = null;
  const stop = log.listen(() => {
    due ??= clock.after(SETTLE_MS, () => {
      due = null;
      update();
    });
  });
  scope.own(() => {
    stop();
    due?.cancel();
  });
  return async ({ until }) => {
    const nowMs = clock.now();
    const untilMs = until === undefined ? nextMorning(nowMs) : Date.parse(until);
    if (untilMs <= nowMs) throw new AppError('invalid_query', 'until must be after now');
    const routes = alerts.trials.routes();
    return judgeNight({
      nowMs,
      untilMs,
      forecast: plainPace,
      machine: await checks.checks(),
      login: loginUntil(shellEnvironment, { nowMs, untilMs }),
      windows: usage.now(),
      budgets: budgets.list(),
      alerts: routes,
      awake: awake.state,
      uncommitted: await uncommittedWork(tasks),
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      alertZones: routes.flatMap(({ timeZone }) => timeZone ?? []),
    });
  };
}

/** Also what waits, unless only a person can continue it. */
function hasOpenWork({ loops, respawns, tasks, phased }: Services): boolean {
  return (
    loops.list().some(({ status }) => status !== 'failed' && status !== 'stopped') ||
    respawns.list().some(({ started_at: startedAt, paused }) => startedAt !== null && !paused) ||
    tasks.scheduler
      .records()
      .some(
        ({ state }) => isTaskAtWork(state) || state.stage === 'queued' || state.dueMs !== null,
      ) ||
    phased.board
      .records()
      .some(
        ({ state: { now } }) =>
          isRunAtWork(now) ||
          now.stage === 'queued' ||
          (now.stage === 'waiting' && now.dueMs !== null),
      )
  );
}

/** Names of tasks that have ended with files in no commit, the newest first. */
async function uncommittedWork({
  scheduler,
  worktrees,
}: Services['tasks']): Promise<string[] | null> {
  const ended = scheduler.records().filter(({ state }) => FINAL_STATUSES.includes(state.status));
  const held = ended.flatMap(({ id, name }) =>
    worktrees.of(id).map((worktree) => ({ name, worktree })),
  );
  try {
    const found = new Set<string>();
    for (const { name, worktree } of held.slice(-MAX_WORKTREES).reverse()) {
      const { dirty_count: dirty } = await worktrees.inspect(worktree);
      if (dirty > 0) found.add(name);
    }
    return [...found];
  } catch {
    return null;
  }
}
