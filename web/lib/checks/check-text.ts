/** What each check is about, and what of its fix can be copied into a shell. */
import type { PreflightCheck } from '$shared/schema/model.ts';

type CheckName = PreflightCheck['name'];

/** A name for people, and why a loop needs it. */
export const CHECK_TEXT: Record<CheckName, { label: string; why: string }> = {
  agent: {
    label: 'Agent',
    why: 'A loop is an agent at work: without its program nothing starts but the demo.',
  },
  client: {
    label: 'Agent version',
    why: 'Of a version it knows, the daemon hears by hooks what the agent does; of others it sees the screen alone.',
  },
  command: {
    label: 'Loop command',
    why: 'A loop starts by typing this command; an agent that does not know it stops at once.',
  },
  login: { label: 'Login', why: 'An agent without a login waits for a person at its first step.' },
  tmux: {
    label: 'Terminals',
    why: 'Terminals in tmux outlive the daemon: an update or a crash of it ends no work.',
  },
  git: { label: 'Git', why: 'Agents keep their work in it, and tasks say which branch they mean.' },
  disk: {
    label: 'Disk',
    why: 'On a full disk nothing can be written down, and what is not written is not done.',
  },
  inotify: {
    label: 'File watches',
    why: 'With them a step is seen at once; without, two seconds later by looking.',
  },
  service: {
    label: 'Service',
    why: 'A service manager can end every agent when it restarts the daemon.',
  },
};

/** Commands as the fixes name them, each up to what follows it in the sentence. */
const COMMANDS = [
  /npm install -g \S+?(?=[\s,;)]|$)/g,
  /(?:apt|brew) install [\w-]+/g,
  /sudo sysctl [\w.]+=\d+/g,
  /systemctl (?:--user )?edit \S+?(?=[\s,;)]|$)/g,
];

/** Takes the fix of a check; gives the commands in it, in their order. */
export function fixCommands(fix: string): string[] {
  const found = COMMANDS.flatMap((pattern) => [...fix.matchAll(pattern)]);
  found.sort((one, other) => one.index - other.index);
  return found.map(([command]) => (command.startsWith('apt ') ? `sudo ${command}` : command));
}

/** Takes checks; gives what is missing first, each group in its order. */
export function problemsFirst(checks: readonly PreflightCheck[]): PreflightCheck[] {
  return [...checks.filter(({ ok }) => !ok), ...checks.filter(({ ok }) => ok)];
}
