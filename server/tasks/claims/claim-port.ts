/** What tasks need of the one who knows which host works on what. Without it nothing is claimed. */
import type { HeldClaim } from '../machine/task-state.ts';

export interface KnownClaim extends HeldClaim {
  isOurs: boolean;
  /** The name of the host that holds it. */
  holder: string;
}

export interface ClaimPort {
  /** False while it cannot be asked. */
  readonly isOpen: boolean;
  /** Called after `isOpen` changed. */
  onChange(listener: () => void): void;
  /** `work`: for people. Throws when it cannot be asked. */
  claim(key: string, work: string): Promise<KnownClaim>;
  list(): Promise<KnownClaim[]>;
  /** No error when it changed meanwhile. */
  release(claim: HeldClaim): Promise<void>;
}
