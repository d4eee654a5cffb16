import { execFile } from '../../../server/lib/processes/exec-file.ts';
import type { World } from '../daemon/world.ts';

/** Key bytes, as if from the keyboard of the world's first tmux session. */
export async function pressKeys(world: World, keys: string): Promise<void> {
  const [socket = ''] = world.sockets();
  const bytes = [...Buffer.from(keys)].map((byte) => byte.toString(16));
  const words = ['-S', socket, 'send-keys', '-t', 'main:', '-H', ...bytes];
  const answer = await execFile('tmux', words, { timeoutMs: 60_000 });
  if (!answer.ok) throw new Error(answer.stderr);
}
