/** Alerts on a real database with a clock that a test moves, without a daemon. */
import { join } from 'node:path';
import type { CreateAlert } from '../../../shared/schema/alerts/alerts.ts';
import type { EventDraft, EventRecord } from '../../../shared/schema/events/events.ts';
import type { Reason } from '../../../shared/schema/reasons.ts';
import { AcknowledgeLinks } from '../../../server/alerts/incidents/acknowledge-links.ts';
import { IncidentStore } from '../../../server/alerts/incidents/incident-store.ts';
import { SigningKey } from '../../../server/lib/signing-key.ts';
import { AlertDeliveryStore } from '../../../server/alerts/deliveries/alert-delivery-store.ts';
import { AlertRuleStore } from '../../../server/alerts/rules/alert-rule-store.ts';
import { AlertSender } from '../../../server/alerts/sending/alert-sender.ts';
import { AlertPauses } from '../../../server/alerts/alert-pauses.ts';
import { Alerts } from '../../../server/alerts/alerts.ts';
import { failure } from '../../../server/alerts/sending/outcome.ts';
import type { Database } from '../../../server/db/database.ts';
import type { EventLog } from '../../../server/events/event-log.ts';
import { EventHome } from '../events/event-home.ts';
import type { ManualClock } from '../house/manual-clock.ts';
import { until } from '../house/until.ts';

/** The dashboard in links. */
export const PAGE = 'https://loop.example';

export class AlertHome {
  readonly errors: unknown[] = [];
  /** What a person is needed for, by rule; null: no longer. */
  readonly needs = new Map<
    string,
    { reason: string; title: string; detail: string | null } | null
  >();
  /** Of the inbox, by id. */
  readonly items = new Map<string, { cleared_at: string | null; by: string | null }>();
  readonly #home = new EventHome();
  readonly #environment: NodeJS.ProcessEnv;
  alerts: Alerts;
  log: EventLog;
  database: Database;
  deliveryRows: AlertDeliveryStore;

  constructor(environment: NodeJS.ProcessEnv = { PATH: process.env['PATH'] }) {
    this.#environment = environment;
    ({
      alerts: this.alerts,
      log: this.log,
      database: this.database,
      rows: this.deliveryRows,
    } = this.#open());
    this.alerts.start(PAGE);
  }

  get clock(): ManualClock {
    return this.#home.clock;
  }

  /** A separate file. */
  file(name: string): string {
    return join(this.#home.path, name);
  }

  /** Ends the alerts and opens the database again; `between` gets a log that no alerts follow. */
  async restart(between: (log: EventLog) => void = () => undefined): Promise<void> {
    await this.alerts.dispose();
    const { alerts, log, database, rows } = this.#open();
    between(log);
    Object.assign(this, { alerts, log, database, deliveryRows: rows });
    alerts.start(PAGE);
  }

  emit(...drafts: EventDraft[]): void {
    this.log.write((append) => drafts.forEach((draft) => append(draft)));
  }

  /** A rule for every event type, unless changed by `more`. */
  rule(target: CreateAlert['target'], more: Partial<CreateAlert> = {}): string {
    const all = {
      sessions: null,
      tasks: null,
      subjects: null,
      reasons: null,
      quiet_hours: null,
      digest_minutes: null,
      steps: [],
    };
    return this.alerts.create({ name: 'all', enabled: true, types: ['*'], ...all, target, ...more })
      .id;
  }

  /** Oldest first. */
  deliveries(rule?: string) {
    return this.alerts.deliveries({ rule, limit: 1_000 }, 'admin').reverse();
  }

  /** Waits until this many attempts have ended, of one rule or of all. */
  async attempted(attempts: number, rule?: string): Promise<void> {
    await until(`${attempts} attempts`, () => {
      const made = this.deliveries(rule).reduce((sum, { attempts: n }) => sum + n, 0);
      return made >= attempts;
    });
  }

  /** Every `alert.*` event, oldest first. */
  alertEvents(): EventRecord[] {
    return this.log
      .read(0, 10_000)
      .filter(({ type }) => type.startsWith('alert.'))
      .map(({ json }) => JSON.parse(json) as EventRecord);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.alerts.dispose();
    this.#home[Symbol.dispose]();
  }

  #open() {
    const { database, log } = this.#home.open();
    const say = (error: unknown) => void this.errors.push(error);
    const { clock } = this.#home;
    const rows = new AlertDeliveryStore(database);
    const incidents = new IncidentStore(database);
    const alerts = new Alerts({
      log,
      clock,
      random: () => 0,
      rules: new AlertRuleStore(database),
      deliveries: rows,
      incidents,
      pauses: new AlertPauses({ log, deliveries: rows, incidents, clock }),
      links: new AcknowledgeLinks(new SigningKey('k'.repeat(43))),
      requirePerson: (rule, need) => void this.needs.set(rule, need),
      item: (id) => this.items.get(id) ?? null,
      sender: new AlertSender({
        clock,
        environment: this.#environment,
        version: '0',
        push: async () => Promise.resolve(failure('no browser')),
      }),
      logger: { info: say, warn: say, error: say },
    });
    return { alerts, log, database, rows };
  }
}

/** A loop of that session that failed. */
export function loopFailed(session: string, reason: Reason = 'restart_limit'): EventDraft {
  const spent = { iteration: 3, elapsed_seconds: 60, quota_wait_seconds: 0 };
  const counts = { restart_count: 3, recovery_count: 0 };
  return {
    type: 'auto.failed',
    session,
    data: {
      task_dir: '/srv/tasks/web',
      reason,
      error: 'exit code 1',
      ...spent,
      ...counts,
      evidence: [],
    },
  };
}

/** A task of that name whose tests failed. */
export function taskFailed(task: string): EventDraft {
  return {
    type: 'task.status',
    data: {
      task,
      status: 'FAILED',
      before: 'TESTING',
      reason: 'tests_failed',
      until: null,
      error: null,
    },
  };
}
