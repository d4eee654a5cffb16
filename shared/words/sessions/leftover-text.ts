import type { Leftover } from '../../schema/leftover.ts';

/** One sentence for each process, with the command that ends it. */
export function leftoverText(leftovers: readonly Leftover[]): string {
  return leftovers
    .map(({ pid, command, cause }) =>
      cause === 'not_permitted'
        ? `Process ${pid} (${command}) belongs to another user. End it with: sudo kill -9 ${pid}`
        : `Process ${pid} (${command}) survived SIGKILL. Check it with: ps -o pid,stat,wchan,args -p ${pid}`,
    )
    .join('\n');
}
