/** The phases of a run in which an agent works, in the order of their first visit. */
export const WORK_PHASES = ['plan', 'execute', 'review', 'fix'] as const;
