/** The project around a task directory, and the commands it has. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { ownCommands } from '../projects/own-commands.ts';
import { projectMarkers } from '../projects/project-markers.ts';

export interface OwnProject {
  root: string;
  /** Each may be followed by arguments. */
  commands: string[];
}

/** Reads files only: git would read the configuration of the repository. Never throws. */
export function ownProject(taskDir: string): OwnProject {
  const root = workingTreeOf(taskDir) ?? taskDir;
  return { root, commands: ownCommands(projectMarkers(root)) };
}

/** A home directory that is kept in git is not a project. */
function workingTreeOf(directory: string): string | null {
  if (directory === homedir() || directory === dirname(directory)) return null;
  return existsSync(join(directory, '.git')) ? directory : workingTreeOf(dirname(directory));
}
