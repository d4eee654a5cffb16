/**
 * Events of rules with steps: opened with their first delivery, escalated until a person
 * acknowledges them. Every change is a row first, so that the next daemon continues.
 */
import type { AlertIncident } from '../../../shared/schema/alerts/alert-incidents.ts';
import type { AttentionItem } from '../../../shared/schema/attention/attention.ts';
import type { EventLog } from '../../events/event-log.ts';
import { AppError } from '../../lib/app-error.ts';
import { type Clock, toIso } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { AlertPauses } from '../alert-pauses.ts';
import type { AcknowledgeLinks } from './acknowledge-links.ts';
import type { AlertDeliveryStore } from '../deliveries/alert-delivery-store.ts';
import type { AlertRuleStore } from '../rules/alert-rule-store.ts';
import { deliveryBody, deliveryId } from '../deliveries/delivery-body.ts';
import { escalate, openEscalation } from './escalate.ts';
import { incidentView } from './incident-view.ts';
import type { Acknowledgement, IncidentRow, IncidentStore } from './incident-store.ts';
import { plainMessage } from '../deliveries/plain-message.ts';
import { quietEnd, type Rule, targetOf } from '../rules/rule.ts';
import { WallTimer } from '../wall-timer.ts';
import type { Match } from '../rules/rule-matcher.ts';

const STORAGE_PAUSE_MS = 10_000;

export interface IncidentOptions {
  log: EventLog;
  rules: AlertRuleStore;
  deliveries: AlertDeliveryStore;
  incidents: IncidentStore;
  pauses: AlertPauses;
  links: AcknowledgeLinks;
  /** An item of the inbox; null for one that is no longer kept. */
  item: (id: string) => Pick<AttentionItem, 'cleared_at' | 'by'> | null;
  clock: Clock;
  logger: Log;
}

export class Incidents {
  readonly #options: IncidentOptions;
  readonly #onDeliveries: () => void;
  readonly #timer: WallTimer;
  #isDisposed = false;
  /** A step may become due, or an item of the inbox may close. */
  #hasOpen = true;

  /** `onDeliveries`: there are new ones. */
  constructor(options: IncidentOptions, onDeliveries: () => void) {
    this.#options = options;
    this.#timer = new WallTimer(options.clock, () => this.pump());
    this.#onDeliveries = onDeliveries;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer.wait(null);
  }

  /** In the transaction of the first delivery, whose id it gets and which goes at `dueMs`. */
  open(rule: Rule, match: Match, dueMs: number): string | null {
    if (rule.steps.length === 0) return null;
    const { log, incidents, clock } = this.#options;
    const { event, task, reason } = match;
    const { seq, type, session } = event;
    const id = deliveryId(log.epoch, seq, rule.id);
    const body = deliveryBody(match, log.epoch);
    const { data } = JSON.parse(event.json) as { data: { id?: string } };
    const minutes = rule.steps.map(({ afterMinutes }) => afterMinutes);
    this.#hasOpen = true;
    incidents.insert({
      id,
      rule: rule.id,
      seq,
      type,
      session,
      task,
      reason,
      title: titleOf(body),
      item: type === 'attention.raised' ? (data.id ?? null) : null,
      body,
      ...openEscalation(minutes, quietEnd(rule, reason, dueMs) ?? dueMs),
      openedAt: toIso(clock.now()),
    });
    return id;
  }

  /**
   * One more event in its first delivery. An item of the inbox that closes no longer settles it: the
   * others are still open.
   */
  add(id: string | null, body: string): void {
    if (id !== null) this.#options.incidents.add(id, { body, title: titleOf(body), item: null });
  }

  /** After an event: the same as `pump`, at no cost while no incident is open. */
  follow(): void {
    if (this.#hasOpen) this.pump();
  }

  /** Begins the steps that are due, and waits for the next. Never throws. */
  pump(): void {
    if (this.#isDisposed) return;
    try {
      this.#round();
    } catch (error) {
      this.#options.logger.error({ err: error }, 'cannot escalate alerts');
      this.#timer.wait(STORAGE_PAUSE_MS);
    }
  }

  /** Newest first. */
  list(isOpen: boolean, limit: number): AlertIncident[] {
    const { incidents, rules } = this.#options;
    const names = new Map(rules.list().map((rule) => [rule.id, rule]));
    return incidents
      .list(isOpen, limit)
      .map((row) => incidentView(row, names.get(row.rule) ?? null));
  }

  /** Throws `incident_unknown`, `incident_acknowledged`. */
  acknowledge(id: string, by: string, via: Acknowledgement['acknowledgedVia']): AlertIncident {
    const { log, incidents, rules } = this.#options;
    this.#settleAnswered();
    const row = incidents.get(id);
    if (row === null) {
      const next = 'list them with: loopwatch alert incidents';
      throw new AppError('incident_unknown', `no incident with that id; ${next}`);
    }
    if (row.acknowledgedAt !== null) throw alreadyAcknowledged(row);
    log.write((append) => this.#close(append, row, by, via));
    this.pump();
    return incidentView(incidents.get(id) ?? row, rules.get(row.rule));
  }

  /** Throws `alert_link_invalid`, `incident_acknowledged`. */
  acknowledgeByLink(token: string): AlertIncident {
    const { links, deliveries, clock, rules } = this.#options;
    const id = links.verify(token, clock.now());
    const delivery = id === null ? null : deliveries.get(id);
    if (delivery?.incident == null) {
      const message = 'this link is not valid or has expired; acknowledge it on the alerts page';
      throw new AppError('alert_link_invalid', message);
    }
    const rule = rules.get(delivery.rule);
    const target = rule === null ? null : targetOf(rule, delivery.step);
    return this.acknowledge(delivery.incident, `link in ${target?.kind ?? 'a message'}`, 'link');
  }

  /** What an item of the inbox raised counts as acknowledged once the item is closed. */
  #settleAnswered(): void {
    const { log, incidents, item } = this.#options;
    const closed = incidents.ofItems().flatMap((row) => {
      const found = item(row.item ?? '');
      return found?.cleared_at == null ? [] : [{ row, by: found.by ?? 'the inbox' }];
    });
    if (closed.length === 0) return;
    log.write((append) => closed.forEach(({ row, by }) => this.#close(append, row, by, 'inbox')));
  }

  #round(): void {
    const { incidents, rules, pauses, clock } = this.#options;
    pauses.keepLength();
    this.#settleAnswered();
    const now = clock.now();
    const begun = incidents.due(now).filter((row) => {
      const rule = rules.get(row.rule);
      return rule?.enabled === true && this.#escalate(row, rule, now);
    });
    if (begun.length > 0) this.#onDeliveries();
    // What is due now and did not begin belongs to a rule that is off.
    const next = incidents.nextDueMs(now);
    this.#hasOpen = next !== null || incidents.ofItems().length > 0;
    this.#timer.wait(next === null ? null : next - now);
  }

  /** False when nothing is sent. */
  #escalate(row: IncidentRow, rule: Rule, nowMs: number): boolean {
    const { log, incidents, deliveries } = this.#options;
    const quietMs = quietEnd(rule, row.reason, nowMs);
    if (quietMs !== null) {
      log.write(() => incidents.advance(row.id, { step: row.step, dueMs: quietMs }));
      return false;
    }
    const minutes = rule.steps.map(({ afterMinutes }) => afterMinutes);
    const next = escalate(row, minutes, nowMs);
    if (next === null) return false;
    const isBegun = next.step > row.step;
    const { seq, type, session, task, reason, body } = row;
    log.write((append) => {
      incidents.advance(row.id, next);
      if (!isBegun) return;
      deliveries.insert({
        id: deliveryId(log.epoch, seq, `${rule.id}:${next.step}`),
        rule: rule.id,
        incident: row.id,
        step: next.step,
        seq,
        type,
        session,
        task,
        reason,
        body,
        state: 'waiting',
        dueMs: nowMs,
        createdAt: toIso(nowMs),
        changedAt: toIso(nowMs),
      });
      const about = { rule: rule.id, name: rule.name, incident: row.id, seq, type };
      const steps = rule.steps.length;
      append({ type: 'alert.escalated', data: { ...about, step: next.step, steps } });
    });
    return isBegun;
  }

  #close(
    append: Parameters<Parameters<EventLog['write']>[0]>[0],
    { id, rule, seq, type }: IncidentRow,
    by: string,
    via: Acknowledgement['acknowledgedVia'],
  ): void {
    const { incidents, rules, clock } = this.#options;
    const acknowledgedAt = toIso(clock.now());
    incidents.acknowledge(id, { acknowledgedAt, acknowledgedBy: by, acknowledgedVia: via });
    const name = rules.get(rule)?.name ?? '';
    const about = { rule, name, incident: id, seq, type };
    append({ type: 'alert.acknowledged', data: { ...about, by, via } });
  }
}

function titleOf(body: string): string {
  return plainMessage(body, { page: '', acknowledge: null }).title;
}

function alreadyAcknowledged({ acknowledgedAt, acknowledgedBy }: IncidentRow): AppError {
  const message = `already acknowledged by ${acknowledgedBy ?? ''} at ${acknowledgedAt ?? ''}`;
  const details = { by: acknowledgedBy, at: acknowledgedAt };
  return new AppError('incident_acknowledged', message, details);
}
