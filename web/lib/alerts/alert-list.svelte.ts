/** The rules and the log of their deliveries, as last read. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import { coalesceReads } from '$lib/state/coalesce.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import type { AlertIncident } from '$shared/schema/alerts/alert-incidents.ts';
import type { AlertDelivery, AlertDeliveryState, AlertRule } from '$shared/schema/alerts/alerts.ts';
import { listensTo } from './alert-topics.ts';

/** A burst of events is followed by one read. */
const READ_DELAY_MS = 300;
const FIRST_LINES = 50;
const LISTED_INCIDENTS = '20';
/** The most one answer holds. */
const ALL_LINES = 1000;

interface Reading {
  alerts: AlertRule[];
  deliveries: AlertDelivery[];
  incidents: AlertIncident[];
}

export class AlertList {
  rules = $state.raw<readonly AlertRule[] | null>(null);
  /** Newest first, acknowledged ones too. */
  incidents = $state.raw<readonly AlertIncident[]>([]);
  deliveries = $state.raw<readonly AlertDelivery[]>([]);
  /** Empty: all rules. */
  rule = $state('');
  state = $state<AlertDeliveryState | 'all'>('all');
  limit = $state(FIRST_LINES);
  readonly reading = new Attempt();

  readonly #feed: Feed;
  readonly #touch: (key: string) => void;

  constructor(feed: Feed) {
    this.#feed = feed;
    this.#touch = coalesceReads(
      READ_DELAY_MS,
      async () => this.#fetch(),
      (_, reading) => this.#show(reading),
    );
  }

  /** The log may have more than is shown. */
  get mayHaveMore(): boolean {
    return this.limit < ALL_LINES && this.deliveries.length === this.limit;
  }

  /** Reads now, and after each event that a rule selects or that reports a delivery. */
  follow(): () => void {
    void this.read();
    return this.#feed.listen(({ type }) => {
      const isWanted = this.rules?.some(({ types }) => listensTo(types, type)) === true;
      if (isWanted || type.startsWith('alert.')) this.#touch('board');
    });
  }

  async read(): Promise<void> {
    // The read in progress may use another filter.
    if (this.reading.isBusy) this.#touch('board');
    else await this.reading.run(async () => this.#show(await this.#fetch()));
  }

  async filter(rule: string, state: AlertDeliveryState | 'all'): Promise<void> {
    this.rule = rule;
    this.state = state;
    this.limit = FIRST_LINES;
    await this.read();
  }

  async readMore(): Promise<void> {
    this.limit = ALL_LINES;
    await this.read();
  }

  async #fetch(): Promise<Reading> {
    const query = {
      limit: String(this.limit),
      ...(this.rule === '' ? {} : { rule: this.rule }),
      ...(this.state === 'all' ? {} : { state: this.state }),
    };
    const { rest } = this.#feed;
    const [{ alerts }, { deliveries }, { incidents }] = await Promise.all([
      rest.call('listAlerts'),
      rest.call('listAlertDeliveries', { query }),
      rest.call('listAlertIncidents', { query: { state: 'all', limit: LISTED_INCIDENTS } }),
    ]);
    return { alerts, deliveries, incidents };
  }

  #show({ alerts, deliveries, incidents }: Reading): void {
    this.incidents = incidents;
    this.rules = alerts;
    this.deliveries = deliveries;
    if (this.rule !== '' && !alerts.some(({ id }) => id === this.rule))
      void this.filter('', this.state);
  }
}
