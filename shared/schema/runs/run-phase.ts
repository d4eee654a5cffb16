/** Where a run is: its phases in the order of their first visit, its status, what it does now. */
import { z } from 'zod';
import { WORK_PHASES } from '../../rules/work/run-phases.ts';

/** In which an agent works; each has a conversation of its own. */
export const WorkPhase = z.enum(WORK_PHASES);
export type WorkPhase = z.infer<typeof WorkPhase>;

export const RunPhase = z.enum([...WORK_PHASES, 'complete']);
export type RunPhase = z.infer<typeof RunPhase>;

export const RunStatus = z.enum([
  'queued',
  'running',
  /** For a person, a reset or a pause; `wait` says which. */
  'waiting',
  'stopping',
  'stopped',
  'failed',
  'done',
]);
export type RunStatus = z.infer<typeof RunStatus>;

/** What the run does at this moment. */
export const RunStage = z.enum([
  'queued',
  'preparing',
  'talking',
  'checking',
  /** Complete: merging into the branch it was started for. */
  'merging',
  'waiting',
  'ending',
  'over',
]);
export type RunStage = z.infer<typeof RunStage>;
