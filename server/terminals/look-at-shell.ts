import {
  commandLine,
  isAlive,
  type ProcessIdentity,
  readProcess,
} from '../lib/process-identity.ts';
import type { Look, TerminalIdentity } from './terminal.ts';

/** Takes a terminal's identity; gives what its processes say, without asking its host. */
export function lookAtShell(identity: TerminalIdentity): Look {
  const shell = readProcess(identity.shellPid);
  if (shell?.startedAt !== identity.shellStartedAt) {
    const host = { pid: identity.hostPid, startedAt: identity.hostStartedAt };
    return { kind: isAlive(host) ? 'closed' : 'lost' };
  }
  const atShell: Look = { kind: 'shell', name: shell.name, process: identityOf(shell) };
  if (shell.foregroundGroup === shell.group) return atShell;
  const program = readProcess(shell.foregroundGroup);
  if (program === null) return atShell;
  return {
    kind: 'program',
    program,
    forked: program.name === shell.name && isCopy(program, shell),
  };
}

function identityOf({ pid, startedAt }: ProcessIdentity): ProcessIdentity {
  return { pid, startedAt };
}

/** Without words it is on the very edge: about to become a program, or ended since it was read. */
function isCopy(program: ProcessIdentity, shell: ProcessIdentity): boolean {
  const words = commandLine(program.pid);
  return words === '' || words === commandLine(shell.pid);
}
