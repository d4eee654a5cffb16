/** Saves of a checkpoint: lists for people have them only when their type is chosen. */
const ROUTINE = 'run.checkpoint';

/** Events that come by the dozen and say nothing that a person waits for. */
export function isRoutine(type: string): boolean {
  return type === ROUTINE;
}

/** Whether a list for people has it. `types`: exact types and `prefix.*`; none selects all. */
export function isListed(type: string, types: readonly string[]): boolean {
  return !isRoutine(type) || types.includes(type);
}
