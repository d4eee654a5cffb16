/**
 * Stores the clocks of all loops together: once per heartbeat, and when the daemon stops. Time since
 * the last write counts as downtime after a crash. A transaction for each loop would be a write to
 * the disk for each.
 */
import type { EventLog } from '../events/event-log.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { Polls } from '../lib/polls.ts';
import type { LoopSettings } from './loop-settings.ts';
import type { LoopSupervisor } from './executor/loop-supervisor.ts';

export interface LoopClocksOptions {
  log: EventLog;
  clock: Clock;
  logger: Log;
  settings: { claude: Pick<LoopSettings, 'heartbeatMs'> };
  loops: () => Iterable<Pick<LoopSupervisor, 'storeClock'>>;
}

export class LoopClocks {
  readonly #options: LoopClocksOptions;
  readonly #polls: Polls;

  constructor(options: LoopClocksOptions) {
    this.#options = options;
    this.#polls = new Polls(options.clock);
    this.#polls.repeat(options.settings.claude.heartbeatMs, () => this.#store());
  }

  dispose(): void {
    this.#polls.cancel();
    this.#store();
  }

  #store(): void {
    const { log, logger, loops } = this.#options;
    const all = [...loops()];
    if (all.length === 0) return;
    try {
      const committed = log.write(() => all.map((loop) => loop.storeClock()));
      for (const settle of committed) settle();
    } catch (err) {
      logger.error({ err }, 'cannot store the clocks of loops');
    }
  }
}
