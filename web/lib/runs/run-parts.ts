/** The parts of a run's page, as named in its URL. */
export const RUN_PARTS = ['talk', 'plan', 'checks', 'diff', 'replay', 'report'] as const;
export type RunPart = (typeof RUN_PARTS)[number];
