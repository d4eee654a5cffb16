/** The claims of all hosts for people, and the end of those whose host is dead. */
import type { Host, WorkClaim } from '../../shared/schema/fleet.ts';
import type { EventLog } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import type { Carrier, Claim } from './carrier.ts';

export class FleetClaims {
  readonly #carrier: Carrier;
  readonly #hosts: () => readonly Host[];
  readonly #log: EventLog;

  constructor(options: { carrier: Carrier; hosts: () => readonly Host[]; log: EventLog }) {
    this.#carrier = options.carrier;
    this.#hosts = options.hosts;
    this.#log = options.log;
  }

  /** By host, then by work. Throws `host_unreachable`. */
  async list(): Promise<WorkClaim[]> {
    const claims = (await this.#carrier.claims()).map((claim) => this.#view(claim));
    const text = ({ name, work }: WorkClaim) => `${name} ${work}`;
    return claims.sort((one, other) => text(one).localeCompare(text(other), 'en'));
  }

  /**
   * A person says that its host is dead. Throws `claim_unknown` when it changed, `host_reachable`,
   * `host_unreachable`.
   */
  async release(key: string, revision: number, author: string): Promise<void> {
    const claims = await this.#carrier.claims();
    const claim = claims.find((each) => each.key === key && each.revision === revision);
    if (claim === undefined) throw unknownClaim();
    const { state, name, work } = this.#view(claim);
    if (state !== 'unreachable') {
      const message = `${name} can be reached: stop its task there, and it gives the claim back`;
      throw new AppError('host_reachable', message, { host: name });
    }
    if (!(await this.#carrier.release(claim))) throw unknownClaim();
    this.#log.write((append) =>
      append({ type: 'claim.released', data: { host: name, work, author } }),
    );
  }

  #view({ key, host, work, revision }: Claim): WorkClaim {
    const known = this.#hosts().find(({ id }) => id === host);
    // One that was never heard of may be dead since before this daemon started.
    const { name = host, state = 'unreachable' as const } = known ?? {};
    return { key, host, name, state, work, revision };
  }
}

export function unknownClaim(): AppError {
  return new AppError('claim_unknown', 'no such claim now; list them with: loopwatch fleet claims');
}
