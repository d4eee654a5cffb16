/** The hosts a task could be created on, as this one knows them now. */
import type { HostFacts } from '../../shared/schema/fleet.ts';
import type { Clock } from '../lib/clock.ts';
import type { FleetHosts } from './hosts.ts';
import type { Candidate } from './place-task.ts';

export class PlacementCandidates {
  readonly #clock: Clock;
  /** What was sent to other hosts, until they say again how busy they are. */
  #sent: { host: string; atMs: number }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A task that starts was created there: the next one may find no free slot. */
  sent(host: string): void {
    this.#sent.push({ host, atMs: this.#clock.monotonic() });
  }

  /** `silent`: ids of hosts that were asked and did not answer. */
  list(
    self: HostFacts,
    hosts: Pick<FleetHosts, 'list'>,
    { isConnected, silent }: { isConnected: boolean; silent: ReadonlySet<string> },
  ): Candidate[] {
    const known = hosts.list();
    this.#sent = this.#sent.filter(({ host, atMs }) =>
      known.some(({ facts, heardMs }) => facts.id === host && heardMs <= atMs),
    );
    return [
      candidate(self, { isHere: true, isReachable: true, isSilent: false, sent: 0 }),
      ...known.map(({ facts, isReachable }) =>
        candidate(facts, {
          isHere: false,
          isReachable: isReachable && isConnected,
          isSilent: silent.has(facts.id),
          sent: this.#sent.filter(({ host }) => host === facts.id).length,
        }),
      ),
    ];
  }
}

function candidate(
  facts: HostFacts,
  more: { isHere: boolean; isReachable: boolean; isSilent: boolean; sent: number },
): Candidate {
  const { sent, ...rest } = more;
  const { id, name, labels, repositories, free_slots, queue_length, plan_left } = facts;
  return {
    ...rest,
    id,
    name,
    labels,
    repositories,
    freeSlots: Math.max(0, free_slots - sent),
    queueLength: queue_length + Math.max(0, sent - free_slots),
    planLeft: plan_left,
  };
}
