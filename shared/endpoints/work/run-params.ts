import { z } from 'zod';
import { EventSeq } from '../../schema/events/event-seq.ts';
import { Run, RunId } from '../../schema/runs/run.ts';

/** The path parameter of a run, and the error for an id that cannot exist. */
export const RUN = { params: z.object({ id: RunId }), unknown: 'run_unknown' } as const;
export const RUN_PATH = '/api/runs/:id';
export const ChangedRun = Run.extend({ seq: EventSeq });

export const CHECKPOINT_ERRORS = [
  'run_unknown',
  'checkpoint_corrupt',
  'checkpoint_version',
  'checkpoint_unreadable',
] as const;
