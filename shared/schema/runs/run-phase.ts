/** The phases of a run, in the order of their first visit. */
import { z } from 'zod';

/** In which an agent works; each has a conversation of its own. */
export const WORK_PHASES = ['plan', 'execute', 'review', 'fix'] as const;
export const WorkPhase = z.enum(WORK_PHASES);
export type WorkPhase = z.infer<typeof WorkPhase>;

export const RunPhase = z.enum([...WORK_PHASES, 'complete']);
export type RunPhase = z.infer<typeof RunPhase>;
