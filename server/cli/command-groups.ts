/** The commands by their first word: a command line loads only what it names. */
import type { Command } from 'commander';

/** Adds commands to the program. */
type AddCommands = (program: Command) => void;

interface CommandGroup {
  /** How each is used, and what it does. */
  commands: Readonly<Record<string, string>>;
  load: () => Promise<AddCommands>;
}

/** In the order of the help. */
export const GROUPS: readonly CommandGroup[] = [
  {
    commands: {
      'start [options]': 'start the daemon in the foreground, or with --detach in the background',
      stop: 'stop the daemon (sessions keep running)',
      'ping [options]': 'check that the daemon answers, without a token',
      'status [options]': 'show the daemon, its sessions and loops',
      'login [options]': 'print a one-time login link for the dashboard',
      open: 'open the dashboard in your browser, logged in',
      'doctor [options]': 'check that this machine has what a loop needs',
    },
    load: async () => (await import('./commands/daemon/daemon-commands.ts')).addDaemonCommands,
  },
  {
    commands: {
      'logs [options]': "print the end of the daemon's log, also without a daemon",
    },
    load: async () => (await import('./commands/daemon/logs-command.ts')).addLogsCommand,
  },
  {
    commands: {
      session: 'open, use and close named terminals',
    },
    load: async () => (await import('./commands/sessions/session-commands.ts')).addSessionCommands,
  },
  {
    commands: {
      loop: 'start, stop and inspect auto loops',
    },
    load: async () => (await import('./commands/work/loop-commands.ts')).addLoopCommands,
  },
  {
    commands: {
      module: 'show task modules below the roots',
    },
    load: async () => (await import('./commands/work/module-commands.ts')).addModuleCommands,
  },
  {
    commands: {
      respawn: 'keep an idle agent session going, cycle by cycle',
    },
    load: async () => (await import('./commands/work/respawn-commands.ts')).addRespawnCommands,
  },
  {
    commands: {
      task: 'manage tasks: described work that runs until its criteria are met',
    },
    load: async () => (await import('./tasks/task-commands.ts')).addTaskCommands,
  },
  {
    commands: {
      project: 'decide what new worktrees of a project get',
    },
    load: async () => (await import('./commands/work/project-commands.ts')).addProjectCommands,
  },
  {
    commands: {
      prompt: 'manage reusable task descriptions',
    },
    load: async () => (await import('./tasks/prompt-commands.ts')).addPromptCommands,
  },
  {
    commands: {
      run: 'run work in phases: plan, execute, review and fix',
    },
    load: async () => (await import('./runs/run-commands.ts')).addRunCommands,
  },
  {
    commands: {
      attention: 'see and answer what needs you',
    },
    load: async () =>
      (await import('./commands/people/attention-commands.ts')).addAttentionCommands,
  },
  {
    commands: {
      client: 'decide which versions of Claude Code are typed into',
    },
    load: async () => (await import('./commands/sessions/client-commands.ts')).addClientCommands,
  },
  {
    commands: {
      hooks: "relay permissions and questions of all your sessions, through the client's settings",
    },
    load: async () => (await import('./commands/sessions/hooks-commands.ts')).addHooksCommands,
  },
  {
    commands: {
      alert: 'manage alerts and their deliveries',
    },
    load: async () => (await import('./commands/people/alert-commands.ts')).addAlertCommands,
  },
  {
    commands: {
      people: 'manage members and their roles',
    },
    load: async () => (await import('./commands/people/people-commands.ts')).addPeopleCommands,
  },
  {
    commands: {
      fleet: 'show the work of several hosts on one page',
    },
    load: async () => (await import('./commands/daemon/fleet-commands.ts')).addFleetCommands,
  },
  {
    commands: {
      'report [options]': 'show what needs you, and all work that was open in an interval',
    },
    load: async () => (await import('./commands/usage/report-command.ts')).addReportCommand,
  },
  {
    commands: {
      'history [options] [text]':
        'list loops, tasks, runs, respawn and sessions with work, newest first',
    },
    load: async () => (await import('./commands/work/history-command.ts')).addHistoryCommand,
  },
  {
    commands: {
      'night [options]': 'check what the night needs, and when something will probably go wrong',
    },
    load: async () => (await import('./commands/usage/night-command.ts')).addNightCommand,
  },
  {
    commands: {
      'usage [options]': 'show tokens and cost by day, project, person, model or subject',
    },
    load: async () => (await import('./commands/usage/usage-command.ts')).addUsageCommand,
  },
  {
    commands: {
      budget: 'limit what work may use',
    },
    load: async () => (await import('./commands/usage/budget-commands.ts')).addBudgetCommands,
  },
  {
    commands: {
      question: 'decide what happens to questions that no person answers',
    },
    load: async () => (await import('./commands/people/question-commands.ts')).addQuestionCommands,
  },
  {
    commands: {
      reserve: 'keep a share of the plan’s windows for people',
    },
    load: async () => (await import('./commands/usage/reserve-commands.ts')).addReserveCommands,
  },
  {
    commands: {
      'watch [options]': 'follow events (reconnects when the daemon restarts)',
    },
    load: async () => (await import('./commands/sessions/watch-command.ts')).addWatchCommand,
  },
  {
    commands: {
      'mcp [options]': 'run an MCP server on standard input and output, read-only by default',
    },
    load: async () => (await import('./mcp/mcp-command.ts')).addMcpCommand,
  },
  {
    commands: {
      'demo [options]': 'run a demo loop with the stand-in agent (no account, no cost)',
    },
    load: async () => (await import('./commands/daemon/demo-command.ts')).addDemoCommand,
  },
  {
    commands: {
      'classify <file...>': 'classify the agent state on captured screens (one JSON line each)',
    },
    load: async () => (await import('./commands/sessions/classify-command.ts')).addClassifyCommand,
  },
  {
    commands: {
      step: 'steps of a loop, for the agent that runs it; needs no daemon',
    },
    load: async () => (await import('./commands/work/step-command.ts')).addStepCommands,
  },
  {
    commands: {
      'backup [options] <file>': 'back up the database to a file (the daemon may be running)',
      'restore [options] <file>': 'restore the database from a backup (stop the daemon first)',
    },
    load: async () => (await import('./commands/daemon/backup-commands.ts')).addBackupCommands,
  },
  {
    commands: {
      'service [options]': 'print a systemd user unit for the daemon with the current settings',
    },
    load: async () => (await import('./service/service-command.ts')).addServiceCommand,
  },
  {
    // What may follow a line is looked up in the whole program: `__complete` names none.
    commands: {
      'completion <shell>': 'print the completion script of a shell',
    },
    load: async () => (await import('./completion/completion-commands.ts')).addCompletionCommands,
  },
];

const VERSION_OPTIONS = ['-V', '--version'];
const HELP_OPTIONS = ['-h', '--help'];

/** The first words of its commands. */
export function wordsOf({ commands }: CommandGroup): string[] {
  return Object.keys(commands).map(wordOf);
}

/** What a command does, in the list of all; '' for one that is not in it. */
export function summaryOf(word: string): string {
  const all = GROUPS.flatMap(({ commands }) => Object.entries(commands));
  return all.find(([usage]) => wordOf(usage) === word)?.[1] ?? '';
}

/**
 * Loads the group of that first word; every group where none has it. The version needs none, and
 * neither does the list of all commands.
 */
export async function loadCommands(word: string | undefined): Promise<AddCommands[]> {
  if (word !== undefined && VERSION_OPTIONS.includes(word)) return [];
  if (word !== undefined && HELP_OPTIONS.includes(word)) return [addUsages];
  const own = GROUPS.filter((group) => word !== undefined && wordsOf(group).includes(word));
  return Promise.all((own.length === 0 ? GROUPS : own).map(({ load }) => load()));
}

function addUsages(program: Command): void {
  for (const { commands } of GROUPS)
    for (const usage of Object.keys(commands)) program.command(usage);
}

function wordOf(usage: string): string {
  return usage.split(' ')[0] ?? '';
}
