/** What work needs of the one who knows which host works on what. Without it nothing is claimed. */

/** A claim on a remote branch, which one host at a time may have. */
export interface HeldClaim {
  key: string;
  /** Differs after every change of holder: with another one it is no longer ours. */
  revision: number;
}

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
