/** The requirements of a start, whether they are met, and how to meet them. Pure. */
import type { Directory } from '$shared/schema/modules/directories.ts';
import type { PreflightCheck } from '$shared/schema/model.ts';

export interface StartCheck {
  name: string;
  /** `doubt`: the start would work, but is probably not intended. */
  verdict: 'good' | 'doubt' | 'bad';
  text: string;
  fix: string | null;
}

const NAMES: Partial<Record<PreflightCheck['name'], string>> = {
  agent: 'Agent',
  client: 'Version',
  command: 'Loop command',
  login: 'Login',
  tmux: 'Terminals',
  disk: 'Disk',
};

/** The machine checks that concern a start. */
export function machineChecks(preflight: readonly PreflightCheck[]): StartCheck[] {
  return preflight.flatMap(({ name, ok, detail, fix }) => {
    const label = NAMES[name];
    if (label === undefined) return [];
    const bad = name === 'agent' ? ('bad' as const) : ('doubt' as const);
    return [{ name: label, verdict: ok ? ('good' as const) : bad, text: detail, fix }];
  });
}

/** `directory` is null while unknown. */
export function directoryCheck(directory: Directory | null): StartCheck | null {
  if (directory === null) return null;
  const say = (verdict: StartCheck['verdict'], text: string, fix: string | null = null) => ({
    name: 'Task directory',
    verdict,
    text,
    fix,
  });
  const { access, loop, startable, task } = directory;
  if (access !== 'open')
    return say('bad', 'The directory is not readable.', 'Choose another directory.');
  if (loop !== null && loop.status !== 'failed') {
    const fix = 'Stop that loop first, or choose another directory.';
    return say('bad', `Session ${loop.session_name} already runs a loop on it.`, fix);
  }
  if (!startable) {
    const fix =
      'Use a directory in the main worktree; its path may have letters, digits, spaces and _./@+,:=~%-.';
    return say('bad', 'Cannot start a loop here: the path is typed into a shell.', fix);
  }
  if (task === 'task') return say('good', 'Contains a task (.target.md) and is free.');
  if (task === 'tasks') {
    return say(
      'doubt',
      'Its tasks are in its AiTasks directory.',
      'Open that directory and choose a task.',
    );
  }
  const fix = 'Describe the work in a .target.md file there.';
  return say('doubt', 'No .target.md: the agent may have nothing to work on.', fix);
}
