/**
 * Who works on what, for the work of this host: given to it before the fleet is opened, and asked
 * from then on. Closed, nothing new that others could do too begins here.
 */
import { AppError } from '../lib/app-error.ts';
import type { Carrier, Claim } from './carrier.ts';
import type { FleetHosts } from './hosts.ts';

/** A claim may end between being refused and being read. */
const ATTEMPTS = 3;

interface KnownClaim {
  key: string;
  revision: number;
  isOurs: boolean;
  /** The name of the host that has it. */
  holder: string;
}

export class SharedWork {
  readonly #host: string;
  readonly #listeners = new Set<() => void>();
  #open: { carrier: Carrier; hosts: Pick<FleetHosts, 'nameOf'> } | null = null;
  #stopListening: () => void = () => undefined;

  /** `host`: the id of this one. */
  constructor(host: string) {
    this.#host = host;
  }

  get isOpen(): boolean {
    return this.#open?.carrier.isConnected === true;
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Once no other daemon has the id of this host: it would get the same claims. */
  open(carrier: Carrier, hosts: Pick<FleetHosts, 'nameOf'>): void {
    this.#open = { carrier, hosts };
    this.#stopListening = carrier.onConnection(() => this.#changed());
    this.#changed();
  }

  close(): void {
    this.#stopListening();
    this.#open = null;
    this.#changed();
  }

  /** Throws `host_unreachable`. */
  async claim(key: string, work: string): Promise<KnownClaim> {
    const { carrier } = this.#reach();
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const got = await carrier.claim(key, work);
      const known = got ?? (await carrier.claims()).find((each) => each.key === key);
      if (known !== undefined) return this.#known(known);
    }
    throw new AppError('host_unreachable', 'the claim changes all the time; trying again');
  }

  /** Throws `host_unreachable`. */
  async list(): Promise<KnownClaim[]> {
    return (await this.#reach().carrier.claims()).map((claim) => this.#known(claim));
  }

  /** Throws `host_unreachable`. */
  async release({ key, revision }: Pick<KnownClaim, 'key' | 'revision'>): Promise<void> {
    await this.#reach().carrier.release({ key, revision, host: this.#host, work: '' });
  }

  #known({ key, revision, host }: Claim): KnownClaim {
    const holder = this.#open?.hosts.nameOf(host) ?? host;
    return { key, revision, isOurs: host === this.#host, holder };
  }

  #reach(): { carrier: Carrier } {
    if (this.#open?.carrier.isConnected === true) return this.#open;
    throw new AppError('host_unreachable', 'No connection to the fleet.');
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
