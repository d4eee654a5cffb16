/** What each check is about, and the commands in its fix. */
import type { PreflightCheck } from '$shared/schema/model.ts';

type CheckName = PreflightCheck['name'];

/** A label, and why a loop needs it. */
export const CHECK_TEXT: Record<CheckName, { label: string; why: string }> = {
  agent: {
    label: 'Agent',
    why: 'A loop runs an agent: without its program only the demo can start.',
  },
  client: {
    label: 'Agent version',
    why: 'With a known version the daemon gets hooks from the agent; with others it sees only the screen.',
  },
  command: {
    label: 'Loop command',
    why: 'A loop starts by typing this command. An agent that does not know it stops immediately.',
  },
  login: {
    label: 'Login',
    why: 'An agent that is not logged in waits for a person at its first step.',
  },
  tmux: {
    label: 'Terminals',
    why: 'Terminals in tmux keep running when the daemon is updated or crashes.',
  },
  git: { label: 'Git', why: 'Agents commit their work to git, and tasks name their branch.' },
  disk: {
    label: 'Disk',
    why: 'On a full disk Loopwatch cannot record anything, and does nothing it cannot record.',
  },
  inotify: {
    label: 'File watches',
    why: 'With file watches a step is seen immediately; without, two seconds later by polling.',
  },
  service: {
    label: 'Service',
    why: 'A service manager can kill every agent when it restarts the daemon.',
  },
  check_in: {
    label: 'Check-in',
    why: 'A service on another machine raises the alarm when the daemon or its machine is gone.',
  },
};

/** Commands as written in the fixes, each up to the rest of its sentence. */
const COMMANDS = [
  /npm install -g \S+?(?=[\s,;)]|$)/g,
  /(?:apt|brew) install [\w-]+/g,
  /sudo sysctl [\w.]+=\d+/g,
  /systemctl (?:--user )?edit \S+?(?=[\s,;)]|$)/g,
];

/** In order. */
export function fixCommands(fix: string): string[] {
  const found = COMMANDS.flatMap((pattern) => [...fix.matchAll(pattern)]);
  found.sort((one, other) => one.index - other.index);
  return found.map(([command]) => (command.startsWith('apt ') ? `sudo ${command}` : command));
}

/** Missing ones first; keeps the order otherwise. */
export function problemsFirst(checks: readonly PreflightCheck[]): PreflightCheck[] {
  return [...checks.filter(({ ok }) => !ok), ...checks.filter(({ ok }) => ok)];
}
