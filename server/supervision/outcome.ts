/** What every machine of a supervisor gives for one input. Types only. */
import type { EventDraft } from '../../shared/events.ts';
import type { QuotaNews } from './quota-gate.ts';

export interface Outcome<State, Effect> {
  /** Null: it has ended, and its row goes. */
  state: State | null;
  events: EventDraft[];
  effects: Effect[];
  /** What it learned about the quota that all share. */
  quota: QuotaNews[];
}
