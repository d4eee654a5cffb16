/** What a turn left behind, for the rule that ends work without progress. */
import { messageOf } from '../../lib/app-error.ts';
import type { RoundTrace } from '../../supervision/no-progress.ts';
import { roundTrace } from '../../supervision/round-trace.ts';
import type { MachineInput } from '../machine/task-state.ts';
import type { EffectOptions } from './task-supervisor-options.ts';

/** The trace of the last turn; unknown without a worktree, or where git fails. */
export async function measureTurn(options: EffectOptions): Promise<MachineInput> {
  try {
    return { kind: 'measured', trace: await readTrace(options) };
  } catch (error) {
    const { logger, record } = options;
    logger.warn({ err: messageOf(error), task: record().name }, 'cannot measure a turn');
    return NOT_MEASURED;
  }
}

export const NOT_MEASURED: MachineInput = { kind: 'measured', trace: null };

async function readTrace({
  worktrees,
  interactions,
  record,
}: EffectOptions): Promise<RoundTrace | null> {
  const { id, state } = record();
  const own = worktrees.of(id);
  if (own.length === 0) return null;
  const contents: string[] = [];
  for (const worktree of own) contents.push(await worktrees.fingerprint(worktree));
  return roundTrace(contents.join('\n'), interactions.calls(id, state.turns));
}
