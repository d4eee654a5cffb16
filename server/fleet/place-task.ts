/** Chooses the host of a task, with the reasons for and against each. Pure. */
import { ANY_HOST } from '../../shared/rules/any-host.ts';
import type { JudgedHost, PlacementReason } from '../../shared/schema/tasks/placement.ts';

/** Below this much of the plan's window a host is taken after the others. */
const SCARCE_PERCENT = 10;

export interface PlacementRequest {
  /** `any`, or the name of a host. */
  host: string;
  labels: readonly string[];
  /** Keys of the repositories it works on; null for a directory without a remote. */
  repositories: readonly (string | null)[];
  /** It waits for tasks of the host that decides. */
  hasDependencies: boolean;
  /** The token of a home is nothing to other hosts. */
  isOfHome: boolean;
}

/** Ids are unique. */
export interface Candidate {
  id: string;
  name: string;
  /** The host that decides: it has the directories that the request names. */
  isHere: boolean;
  isReachable: boolean;
  /** It was asked for this task and did not answer. */
  isSilent: boolean;
  labels: readonly string[];
  repositories: readonly string[];
  freeSlots: number;
  queueLength: number;
  /** Percent; null when not known. */
  planLeft: number | null;
}

export interface Decision {
  /** Id of the chosen host; null when none fits. */
  host: string | null;
  /** The chosen one first, then those that fit in the order of the choice, then the others by name. */
  hosts: JudgedHost[];
}

/**
 * The same for any order of `hosts`. A host that is full (no free slot, or nothing left of the plan)
 * is chosen only when all that fit are; then the one with the shortest queue.
 */
export function placeTask(request: PlacementRequest, hosts: readonly Candidate[]): Decision {
  const judged = hosts.map((host) => ({ host, against: objections(request, host) }));
  const fitting = judged.filter(({ against }) => against.length === 0).map(({ host }) => host);
  fitting.sort(inOrderOfChoice);
  const others = judged.filter(({ against }) => against.length > 0);
  others.sort((a, b) => compare(a.host.name, b.host.name) || compare(a.host.id, b.host.id));
  return {
    host: fitting[0]?.id ?? null,
    hosts: [
      ...fitting.map((host) => ({ name: host.name, fits: true, reasons: offers(host) })),
      ...others.map(({ host, against }) => ({ name: host.name, fits: false, reasons: against })),
    ],
  };
}

function objections(request: PlacementRequest, host: Candidate): PlacementReason[] {
  const { repositories } = request;
  const without = request.labels.filter((label) => !host.labels.includes(label));
  const isElsewhere = !host.isHere;
  const hasNoRemote = repositories.includes(null);
  const lacks = repositories.some((key) => key !== null && !host.repositories.includes(key));
  const found: (PlacementReason | false)[] = [
    request.host !== ANY_HOST && request.host !== host.name && reason('not_named'),
    !host.isReachable && reason('unreachable'),
    host.isSilent && reason('no_answer'),
    ...without.map((label) => reason('label_missing', label)),
    isElsewhere && hasNoRemote && reason('no_remote'),
    isElsewhere && lacks && reason('repository_missing'),
    isElsewhere && request.hasDependencies && reason('tasks_elsewhere'),
    isElsewhere && request.isOfHome && reason('token_of_home'),
  ];
  return found.filter((each) => each !== false);
}

function offers({ freeSlots, queueLength, planLeft, isHere }: Candidate): PlacementReason[] {
  const found: (PlacementReason | false)[] = [
    reason('free_slots', freeSlots),
    queueLength > 0 && reason('queue', queueLength),
    planLeft !== null && reason('plan_left', Math.round(planLeft)),
    isHere && reason('here'),
  ];
  return found.filter((each) => each !== false);
}

function inOrderOfChoice(a: Candidate, b: Candidate): number {
  const bothFull = isFull(a) && isFull(b);
  return (
    Number(isFull(a)) - Number(isFull(b)) ||
    (bothFull ? a.queueLength - b.queueLength : 0) ||
    Number(isScarce(a)) - Number(isScarce(b)) ||
    b.freeSlots - a.freeSlots ||
    (b.planLeft ?? 100) - (a.planLeft ?? 100) ||
    Number(b.isHere) - Number(a.isHere) ||
    compare(a.name, b.name) ||
    compare(a.id, b.id)
  );
}

function isFull({ freeSlots, planLeft }: Candidate): boolean {
  return freeSlots === 0 || planLeft === 0;
}

function isScarce({ planLeft }: Candidate): boolean {
  return planLeft !== null && planLeft < SCARCE_PERCENT;
}

function reason(code: PlacementReason['code'], value: string | number = ''): PlacementReason {
  return { code, value: String(value) };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
