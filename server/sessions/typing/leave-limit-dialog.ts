import type { OutboxOptions } from './outbox-options.ts';
import { QUIET_FOR_DAEMON_MS } from './may-type.ts';
import { isSameProgram, type Program } from './program.ts';

/**
 * Leaves the client's dialog about a usage limit, whose options may cost money. Presses nothing
 * unless it is open in `program` and no person has just typed there.
 */
export async function leaveLimitDialog(
  session: string,
  program: Program,
  { log, place, witness, sinceTyped }: OutboxOptions,
): Promise<void> {
  await place.exclusively(session, async () => {
    const { front } = await witness.receiver(session);
    if (front.kind !== 'agent' || front.showsLimitDialog !== true) return;
    if (front.isUntested === true) return;
    const isQuiet = (sinceTyped(session) ?? Infinity) >= QUIET_FOR_DAEMON_MS;
    if (!isQuiet || !isSameProgram(program, front.program)) return;
    await place.escape(session);
    const data = { by: 'Loopwatch', what: 'limit_dialog' as const };
    log.write((append) => append({ type: 'session.interrupted', session, data }));
  });
}
