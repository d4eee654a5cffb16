/**
 * Retries, quiet hours and steps wait for wall times. When the clock was set back, also while no
 * daemon ran, they wait as long as before.
 */
import type { EventLog } from '../events/event-log.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import { SetBack } from '../lib/set-back.ts';
import type { AlertDeliveryStore } from './deliveries/alert-delivery-store.ts';
import type { IncidentStore } from './incidents/incident-store.ts';

export interface AlertPausesOptions {
  log: EventLog;
  deliveries: AlertDeliveryStore;
  incidents: IncidentStore;
  clock: Clock;
}

export class AlertPauses {
  readonly #options: AlertPausesOptions;
  readonly #setBack: SetBack;
  /** Not yet stored. */
  #byMs = 0;

  constructor(options: AlertPausesOptions) {
    this.#options = options;
    const last = options.deliveries.lastChange();
    this.#setBack = new SetBack(options.clock, last === null ? undefined : Date.parse(last));
  }

  /** Call it before due times are read or written. Throws a storage error with nothing changed. */
  keepLength(): void {
    const { log, deliveries, incidents, clock } = this.#options;
    this.#byMs += this.#setBack.takeMs();
    if (this.#byMs === 0) return;
    log.write(() => {
      deliveries.bringForward(this.#byMs, toIso(clock.now()));
      incidents.bringForward(this.#byMs);
    });
    this.#byMs = 0;
  }
}
