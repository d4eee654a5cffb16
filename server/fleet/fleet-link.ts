/** Whether this host takes part in its fleet, since when not, and why. */
import type { FleetProblem, FleetView } from '../../shared/schema/fleet.ts';
import type { EventLog } from '../events/event-log.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Carrier } from './carrier.ts';
import { storeFleetEvent } from './fleet-event.ts';

const MESSAGES: Record<FleetProblem, string> = {
  disconnected:
    'no connection to the NATS server of the fleet; check LOOPWATCH_NATS and that the server runs',
  not_allowed:
    'the NATS server does not accept the key of this host; join again with: loopwatch fleet join',
  no_majority:
    'the NATS server that answers is cut off from most servers of its cluster; check that they run and reach each other',
  duplicate_host_id:
    'another daemon has the id of this host, as after its home was copied; let this one join as a host of its own',
};

/** A carrier may know more than that it is not connected. */
type FleetCarrier = Carrier & {
  readonly problem?: Exclude<FleetProblem, 'duplicate_host_id'> | null;
};

export class FleetLink {
  readonly #carrier: FleetCarrier;
  readonly #clock: Clock;
  readonly #log: EventLog;
  readonly #logger: Log;
  readonly #stopListening: () => void;
  readonly #onDuplicate: () => void;
  #since = '';
  #isDuplicate = false;

  /** `onDuplicate`: this host ends its part in the fleet. */
  constructor(options: {
    carrier: FleetCarrier;
    clock: Clock;
    log: EventLog;
    logger: Log;
    onDuplicate: () => void;
  }) {
    this.#carrier = options.carrier;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#logger = options.logger;
    this.#onDuplicate = options.onDuplicate;
    this.#stopListening = this.#carrier.onConnection(() => this.#changed());
    this.#changed();
  }

  /** Null while all is well. */
  get problem(): FleetView['problem'] {
    const code = this.#code();
    return code === null ? null : { code, since: this.#since, message: MESSAGES[code] };
  }

  get isDuplicate(): boolean {
    return this.#isDuplicate;
  }

  /** Another daemon with this id was there before. Local work continues. */
  duplicate(): void {
    if (this.#isDuplicate) return;
    this.#isDuplicate = true;
    this.#since = toIso(this.#clock.now());
    this.#logger.error({ code: 'duplicate_host_id' }, MESSAGES.duplicate_host_id);
    this.#record({
      type: 'fleet.disconnected',
      data: { message: MESSAGES.duplicate_host_id },
    });
    this.#onDuplicate();
  }

  dispose(): void {
    this.#stopListening();
  }

  #changed(): void {
    if (this.#isDuplicate) return;
    const code = this.#code();
    this.#since = toIso(this.#clock.now());
    if (code === null) this.#record({ type: 'fleet.connected', data: {} });
    else this.#record({ type: 'fleet.disconnected', data: { message: MESSAGES[code] } });
  }

  #code(): FleetProblem | null {
    if (this.#isDuplicate) return 'duplicate_host_id';
    return this.#carrier.isConnected ? null : (this.#carrier.problem ?? 'disconnected');
  }

  #record(draft: Parameters<typeof storeFleetEvent>[2]): void {
    storeFleetEvent(this.#log, this.#logger, draft);
  }
}
