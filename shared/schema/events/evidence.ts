/** What a reason rests on: witness, time and exact text. The same on REST, events, CLI and page. */
import { z } from 'zod';
import { Witness } from '../agents/agent-state.ts';

/** The agent's witnesses, and the other sources for why a loop waits, stops, ends or fails. */
export const EvidenceWitness = z.enum([
  ...Witness.options,
  'terminal',
  /** Where a process was started, as the kernel records it: its POSIX session, its environment. */
  'origin',
  /** The events of a headless conversation. */
  'stream',
  'signal',
  'clock',
  'directory',
  'task_index',
  /** What the host ran itself. */
  'checks',
  'person',
  'daemon',
]);
export type EvidenceWitness = z.infer<typeof EvidenceWitness>;

export const Evidence = z.object({
  witness: EvidenceWitness,
  at: z.iso.datetime(),
  /** The exact text: rows of the screen, a limit line, two counts. At most 5 of 300 characters. */
  lines: z.array(z.string()),
});
export type Evidence = z.infer<typeof Evidence>;
