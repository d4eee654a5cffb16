import { commandLine, isAlive, readProcess } from '../lib/process-identity.ts';
import type { Look, TerminalIdentity } from './terminal.ts';

/** Takes a terminal's identity; gives what its processes say, without asking its host. */
export function lookAtShell(identity: TerminalIdentity): Look {
  const shell = readProcess(identity.shellPid);
  if (shell?.startedAt !== identity.shellStartedAt) {
    const host = { pid: identity.hostPid, startedAt: identity.hostStartedAt };
    return { kind: isAlive(host) ? 'closed' : 'lost' };
  }
  if (shell.foregroundGroup === shell.group) return { kind: 'shell', name: shell.name };
  const program = readProcess(shell.foregroundGroup);
  if (program === null) return { kind: 'shell', name: shell.name };
  const forked = program.name === shell.name && commandLine(program.pid) === commandLine(shell.pid);
  return { kind: 'program', program, forked };
}
