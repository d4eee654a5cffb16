/** What still runs in the world of a test. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { TURN_VARIABLE } from '../../server/agents/headless/turn-processes.ts';

/** Pids of the tmux servers and clients of that world. */
export function tmuxIn(root: string): number[] {
  return pidsOf('cmdline', (command) => command.startsWith('tmux') && command.includes(`${root}/`));
}

/** Pids of the turns of tasks, and of all they started, whose home directory is in that world. */
export function turnsIn(root: string): number[] {
  return pidsOf(
    'environ',
    (text) => text.includes(`HOME=${root}/`) && text.includes(`${TURN_VARIABLE}=`),
  );
}

/** Pids of git that work in a repository of that world. */
export function gitIn(root: string): number[] {
  return pidsOf('cmdline', (command) => /^(?:\S*\/)?git\0/.test(command)).filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(root);
    } catch {
      return false;
    }
  });
}

/** Pids whose file in `/proc` has that text. */
function pidsOf(file: 'cmdline' | 'environ', isWanted: (text: string) => boolean): number[] {
  const isSuch = (pid: string) => {
    try {
      return isWanted(readFileSync(`/proc/${pid}/${file}`, 'latin1'));
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isSuch(name))
    .map(Number);
}
