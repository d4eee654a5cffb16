import { readFileSync } from 'node:fs';
import { execFile } from '../server/lib/processes/exec-file.ts';
import type { Stage } from './stage.ts';

/**
 * A person at the terminal presses a key: over REST none is sent to an agent that asks, and none
 * that discards a draft.
 */
export async function pressKey(stage: Stage, key: 'Escape' | 'C-u'): Promise<void> {
  const words = readFileSync(`/proc/${await stage.terminalServer()}/cmdline`, 'utf8').split('\0');
  const socket = words[words.indexOf('-S') + 1] ?? '';
  const sent = await execFile('tmux', ['-S', socket, 'send-keys', key], { timeoutMs: 10_000 });
  if (!sent.ok) throw new Error(`no key was sent: ${sent.stderr}`);
}
