/** Which work begins next. Pure: from all tasks and runs, and the number of slots. */

export interface QueuedWork {
  id: string;
  name: string;
  /** Wall time in milliseconds; null when it is not queued. */
  queuedAtMs: number | null;
  /** A person has just sent it input. */
  isUrgent: boolean;
  /** Higher ones first. */
  priority: number;
  /** Names. */
  dependsOn: readonly string[];
  isAtWork: boolean;
  isCompleted: boolean;
  /** It continues only at a person's request. */
  isOver: boolean;
  /** Its last process is still there, or others try first whether a limit is over. */
  isHeld: boolean;
}

export interface QueuePosition {
  /** From 1. */
  position: number;
  /** Names of what it waits for. */
  behind: string[];
  /** Those of them that need a person to continue, or no longer exist. */
  stuck: string[];
  /** It does not wait for a slot, but for what holds it. */
  isHeld: boolean;
}

export interface QueueView {
  /** Ids of tasks that begin now, in order. */
  begin: string[];
  waiting: Map<string, QueuePosition>;
}

export function scheduleQueue(tasks: readonly QueuedWork[], slots: number): QueueView {
  const completed = new Set(tasks.filter((task) => task.isCompleted).map(({ name }) => name));
  const active = new Set(tasks.filter((task) => !task.isOver).map(({ name }) => name));
  const inLine = tasks
    .filter((task) => task.queuedAtMs !== null)
    .sort(
      (one, other) =>
        Number(other.isUrgent) - Number(one.isUrgent) ||
        other.priority - one.priority ||
        (one.queuedAtMs ?? 0) - (other.queuedAtMs ?? 0) ||
        (one.id < other.id ? -1 : 1),
    );
  let free = slots - tasks.filter((task) => task.isAtWork).length;
  const begin: string[] = [];
  const waiting: QueueView['waiting'] = new Map();
  for (const task of inLine) {
    const behind = task.dependsOn.filter((name) => !completed.has(name));
    if (behind.length === 0 && !task.isHeld && free > 0) {
      begin.push(task.id);
      free -= 1;
    } else {
      const stuck = behind.filter((name) => !active.has(name));
      waiting.set(task.id, { position: waiting.size + 1, behind, stuck, isHeld: task.isHeld });
    }
  }
  return { begin, waiting };
}

/** The first dependency cycle that would contain `name`, or null. */
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
