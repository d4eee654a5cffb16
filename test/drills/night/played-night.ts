/** Plays a night and compares what the daemon says of it with what happened. */
import { join } from 'node:path';
import type { AlertIncident } from '../../../shared/schema/alerts/alert-incidents.ts';
import type { EventRecord } from '../../../shared/schema/events/events.ts';
import type { Report } from '../../../shared/schema/usage/report.ts';
import type { UsageReport } from '../../../shared/schema/usage/usage.ts';
import { readSpent } from '../../../stand-in/plan/spent-file.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import type { Random } from '../../support/house/random.ts';
import { until } from '../../support/house/until.ts';
import { neglectedAlerts } from './alerting.ts';
import { Night } from './night.ts';
import { BEGIN_MS, END_MS, nightPlan, type NightSize } from './night-plan.ts';
import { NightStage, STEP_MINUTES } from './night-stage.ts';
import { misreported } from './reported.ts';
import {
  dispatchesOf,
  passedBudgets,
  tokensBySubject,
  tokensOf,
  touchedReserve,
} from './spending.ts';

export async function playedNight(random: Random, size: NightSize) {
  await using stage = await NightStage.open(size.tasks);
  const plan = nightPlan(random, size, stage.project);
  stage.writePlan(plan);
  await using night = new Night(stage, plan, random);
  await night.play();
  const { api } = night.daemon;
  const range = `since=${new Date(BEGIN_MS).toISOString()}&until=${new Date(END_MS).toISOString()}`;
  const report = await get<Report>(api, `/api/report?branches=skip&${range}`);
  const { incidents } = await get<{ incidents: AlertIncident[] }>(
    api,
    '/api/alerts/incidents?state=all&limit=1000',
  );
  const endMs = night.daemon.nowMs;
  const events = await allEvents(api);
  await night.end();
  const spentNow = () => readSpent(join(stage.world.root, 'claude'));
  const spent = tokensOf(spentNow());
  // What was written last is read at the end of its conversation.
  await until('the ledger has all', async () => {
    const { totals } = await get<UsageReport>(api, '/api/usage');
    return JSON.stringify(tokenFigures(totals)) === JSON.stringify(spent);
  }).catch(() => undefined);
  const { totals, rows } = await get<UsageReport>(api, '/api/usage?by=subject');
  const dispatches = dispatchesOf(spentNow(), plan);
  const slackMs = night.slowestMs;
  const { gaps } = night.daemon;
  return {
    spent: { total: spent, bySubject: tokensBySubject(dispatches) },
    ledger: { total: tokenFigures(totals), bySubject: ledgerBySubject(rows) },
    budgets: passedBudgets(dispatches, plan),
    reserve: touchedReserve(dispatches, plan),
    alerts: neglectedAlerts({ incidents, events, minutes: STEP_MINUTES, gaps, endMs, slackMs }),
    report: misreported(report, events, plan),
    figures: figuresOf(night, events, incidents, dispatches.length),
  };
}

async function get<Body>(api: ApiClient, path: string): Promise<Body> {
  const { status, body } = await api.get(path);
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body as unknown as Body;
}

async function allEvents(api: ApiClient): Promise<EventRecord[]> {
  const all: EventRecord[] = [];
  for (;;) {
    const path = `/api/events?after=${all.at(-1)?.seq ?? 0}&limit=1000`;
    const { events } = await get<{ events: EventRecord[] }>(api, path);
    if (events.length === 0) return all;
    all.push(...events);
  }
}

function tokenFigures({ tokens }: Pick<UsageReport['totals'], 'tokens'>) {
  const { input = 0, output = 0, cache_read = 0, cache_write = 0 } = tokens ?? {};
  return { input, output, cache_read, cache_write };
}

function ledgerBySubject(rows: UsageReport['rows']) {
  const sorted = [...rows].sort((one, other) => ((one.key ?? '') < (other.key ?? '') ? -1 : 1));
  return Object.fromEntries(sorted.map((row) => [row.key ?? '', tokenFigures(row)]));
}

/** What happened, in short: a night in which little does proves little. */
function figuresOf(
  { steps, daemon }: Night,
  events: readonly EventRecord[],
  incidents: readonly AlertIncident[],
  dispatches: number,
): string {
  const count = (type: string, reason?: string) =>
    events.filter(({ type: of, data }) => {
      return (
        of === type && (reason === undefined || (data as { reason?: unknown }).reason === reason)
      );
    }).length;
  const closed = incidents.filter(({ acknowledged_at: at }) => at !== null).length;
  return [
    `${steps} steps, ${daemon.gaps.length} kills, ${events.length} events, ${dispatches} dispatches`,
    `${count('auto.started')} lives of loops, ${count('auto.failed', 'reserve')} held for the reserve`,
    `${count('auto.failed', 'budget')} for a budget, ${count('auto.quota_entered')} limits of loops`,
    `${count('task.status', 'quota')} of tasks, ${count('task.status', 'reserve')} tasks held`,
    `${count('task.status', 'budget')} for a budget, ${count('task.status', 'login_needed')} logged out`,
    `${count('question.escalated')} questions escalated, ${count('daemon.started')} daemons`,
    `${incidents.length} alerts, ${count('alert.escalated')} escalations, ${closed} acknowledged`,
    `${count('alert.failed')} attempts failed`,
  ].join('; ');
}
