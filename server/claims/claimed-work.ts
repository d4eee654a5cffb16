/** What claims and the work that needs them know of each other. */
import type { WorkPlaces } from './claim-keys.ts';
import type { HeldClaim } from './claim-port.ts';
import type { ClaimHold } from './claim-wait.ts';

/** What the machines of claimed work hear of their claims. */
export type ClaimInput =
  /** What it works on is its own; ignored once it is no longer queued. */
  | { kind: 'claimed'; claims: HeldClaim[] }
  /** It cannot get its claim now. */
  | ({ kind: 'held' } & ClaimHold)
  /** It is over, and others may work there. */
  | { kind: 'unclaimed' }
  /** A claim is no longer ours. `holder`: the host that has it now. */
  | { kind: 'claim_lost'; holder: string | null };

/** A task or a run. */
export interface ClaimedWork {
  /** Unique over all kinds. */
  id: string;
  /** For people: `task fix`. */
  title: string;
  /** Null: not asked for. */
  claims: () => readonly HeldClaim[] | null;
  /** Nothing of it runs, and it continues only when a person starts it: others may work there. */
  isOver: () => boolean;
  places: () => WorkPlaces;
  notice: (input: ClaimInput) => void;
}
