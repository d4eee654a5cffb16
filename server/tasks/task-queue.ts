/** Who begins next: pure, from what stands and how many places there are. */

export interface QueuedTask {
  id: string;
  name: string;
  /** Wall time in milliseconds; null when it does not wait for its turn. */
  queuedAtMs: number | null;
  /** A person has just spoken to it. */
  isUrgent: boolean;
  /** Higher ones first. */
  priority: number;
  dependsOn: readonly string[];
  isAtWork: boolean;
  isCompleted: boolean;
  /** It goes on only if a person has it so. */
  isOver: boolean;
  /** Its last process is still there, or others try first whether a limit is over. */
  isHeld: boolean;
}

export interface Place {
  /** From 1. */
  position: number;
  /** The tasks it waits for. */
  behind: string[];
  /** Those of them that do not go on by themselves, or are there no more. */
  stuck: string[];
}

export interface QueueView {
  /** Ids of those that begin now, in order. */
  begin: string[];
  waiting: Map<string, Place>;
}

/** Takes all tasks and how many may be at work; gives who begins and where the others stand. */
export function scheduleQueue(tasks: readonly QueuedTask[], places: number): QueueView {
  const completed = new Set(tasks.filter((task) => task.isCompleted).map(({ name }) => name));
  const going = new Set(tasks.filter((task) => !task.isOver).map(({ name }) => name));
  const inLine = tasks
    .filter((task) => task.queuedAtMs !== null)
    .sort(
      (one, other) =>
        Number(other.isUrgent) - Number(one.isUrgent) ||
        other.priority - one.priority ||
        (one.queuedAtMs ?? 0) - (other.queuedAtMs ?? 0) ||
        (one.id < other.id ? -1 : 1),
    );
  let free = places - tasks.filter((task) => task.isAtWork).length;
  const begin: string[] = [];
  const waiting: QueueView['waiting'] = new Map();
  for (const task of inLine) {
    const behind = task.dependsOn.filter((name) => !completed.has(name));
    if (behind.length === 0 && !task.isHeld && free > 0) {
      begin.push(task.id);
      free -= 1;
    } else {
      const stuck = behind.filter((name) => !going.has(name));
      waiting.set(task.id, { position: waiting.size + 1, behind, stuck });
    }
  }
  return { begin, waiting };
}

/** Takes who would wait for whom; gives the first circle a name would be in, or null. */
export function findCycle(
  name: string,
  dependsOn: readonly string[],
  others: ReadonlyMap<string, readonly string[]>,
): string[] | null {
  const visit = (current: string, path: readonly string[]): string[] | null => {
    if (current === name) return [...path, current];
    if (path.includes(current)) return null;
    for (const next of others.get(current) ?? []) {
      const found = visit(next, [...path, current]);
      if (found !== null) return found;
    }
    return null;
  };
  for (const first of dependsOn) {
    const found = visit(first, [name]);
    if (found !== null) return found;
  }
  return null;
}
