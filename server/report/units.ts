/** Every unit of work that the log knows, from events added in order. Pure. */
import type { EventRecord } from '../../shared/schema/events/events.ts';
import type { ReportSeconds } from '../../shared/schema/usage/report.ts';
import { HeadlessUnits, type KnownWork } from './headless-units.ts';
import { LoopUnits } from './loop-units.ts';
import { SessionUnits } from './session-units.ts';
import type { Unit } from './unit.ts';

export interface UnitInInterval {
  unit: Unit;
  seconds: ReportSeconds;
}

export class Units {
  readonly #headless = new HeadlessUnits();
  readonly #loops = new LoopUnits();
  readonly #sessions = new SessionUnits();

  add(event: EventRecord): void {
    this.#headless.add(event);
    this.#loops.add(event);
    this.#sessions.add(event, event.session !== undefined && this.#loops.isOpen(event.session));
  }

  /** Tasks and runs as stored now. */
  complete(work: KnownWork): void {
    this.#headless.complete(work);
  }

  /**
   * Each unit that was open at a moment of the interval, once. An agent by hand counts only if it had
   * work in it.
   */
  openIn(sinceMs: number, untilMs: number): UnitInInterval[] {
    const all = [...this.#headless.units, ...this.#loops.units, ...this.#sessions.units];
    return all.flatMap((unit) => {
      const seconds = unit.timeline.secondsIn(sinceMs, untilMs);
      if (seconds === null) return [];
      const isByHand = unit.kind === 'session' || unit.kind === 'found';
      const { stopped: _, ...busy } = seconds;
      const isIdle = Object.values(busy).every((each) => each === 0);
      return isByHand && isIdle ? [] : [{ unit, seconds }];
    });
  }
}
