/** What a start needs and whether it is there, each with what to do about it. Pure. */
import type { Directory } from '$shared/schema/directories.ts';
import type { PreflightCheck } from '$shared/schema/model.ts';

export interface StartCheck {
  name: string;
  /** `doubt`: the start would go through, but is hardly what was meant. */
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

/** Takes what the daemon found on its machine; gives what of it concerns a start. */
export function machineChecks(preflight: readonly PreflightCheck[]): StartCheck[] {
  return preflight.flatMap(({ name, ok, detail, fix }) => {
    const label = NAMES[name];
    if (label === undefined) return [];
    const bad = name === 'agent' ? ('bad' as const) : ('doubt' as const);
    return [{ name: label, verdict: ok ? ('good' as const) : bad, text: detail, fix }];
  });
}

/** Takes the directory that is typed, as far as it is known; gives what is to be said of it, or null. */
export function directoryCheck(directory: Directory | null): StartCheck | null {
  if (directory === null) return null;
  const say = (verdict: StartCheck['verdict'], text: string, fix: string | null = null) => ({
    name: 'Task directory',
    verdict,
    text,
    fix,
  });
  const { access, loop, startable, task } = directory;
  if (access !== 'open') return say('bad', 'It cannot be read.', 'Choose another one.');
  if (loop !== null && loop.status !== 'failed') {
    const fix = 'Stop that loop first, or choose another directory.';
    return say('bad', `A loop runs on it, in session ${loop.session_name}.`, fix);
  }
  if (!startable) {
    const fix =
      'Choose it in the main worktree, under a path of letters, digits, blanks and _./@+,:=~%-.';
    return say('bad', 'A loop cannot be started here: its path is typed into a shell.', fix);
  }
  if (task === 'task') return say('good', 'It holds a task (.target.md) and is free.');
  if (task === 'tasks') {
    return say('doubt', 'Tasks lie in its AiTasks directory.', 'Go in and choose one of them.');
  }
  const fix = 'Write what is to be done into a file .target.md in it.';
  return say('doubt', 'It has no .target.md: the agent may have nothing to work on.', fix);
}
