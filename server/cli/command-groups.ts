/** The commands by their first word: a command line loads only what it names. */
import type { Command } from 'commander';

/** Adds commands to the program. */
type AddCommands = (program: Command) => void;

interface CommandGroup {
  words: readonly string[];
  load: () => Promise<AddCommands>;
}

/** In the order of the help. */
export const GROUPS: readonly CommandGroup[] = [
  {
    words: ['start', 'stop', 'ping', 'status', 'login', 'open', 'doctor'],
    load: async () => (await import('./commands/daemon-commands.ts')).addDaemonCommands,
  },
  {
    words: ['logs'],
    load: async () => (await import('./commands/logs-command.ts')).addLogsCommand,
  },
  {
    words: ['session'],
    load: async () => (await import('./commands/session-commands.ts')).addSessionCommands,
  },
  {
    words: ['loop'],
    load: async () => (await import('./commands/loop-commands.ts')).addLoopCommands,
  },
  {
    words: ['module'],
    load: async () => (await import('./commands/module-commands.ts')).addModuleCommands,
  },
  {
    words: ['respawn'],
    load: async () => (await import('./commands/respawn-commands.ts')).addRespawnCommands,
  },
  {
    words: ['task'],
    load: async () => (await import('./tasks/task-commands.ts')).addTaskCommands,
  },
  {
    words: ['project'],
    load: async () => (await import('./commands/project-commands.ts')).addProjectCommands,
  },
  {
    words: ['prompt'],
    load: async () => (await import('./tasks/prompt-commands.ts')).addPromptCommands,
  },
  {
    words: ['run'],
    load: async () => (await import('./runs/run-commands.ts')).addRunCommands,
  },
  {
    words: ['attention'],
    load: async () => (await import('./commands/attention-commands.ts')).addAttentionCommands,
  },
  {
    words: ['client'],
    load: async () => (await import('./commands/client-commands.ts')).addClientCommands,
  },
  {
    words: ['hooks'],
    load: async () => (await import('./commands/hooks-commands.ts')).addHooksCommands,
  },
  {
    words: ['alert'],
    load: async () => (await import('./commands/alert-commands.ts')).addAlertCommands,
  },
  {
    words: ['people'],
    load: async () => (await import('./commands/people-commands.ts')).addPeopleCommands,
  },
  {
    words: ['fleet'],
    load: async () => (await import('./commands/fleet-commands.ts')).addFleetCommands,
  },
  {
    words: ['report'],
    load: async () => (await import('./commands/report-command.ts')).addReportCommand,
  },
  {
    words: ['history'],
    load: async () => (await import('./commands/history-command.ts')).addHistoryCommand,
  },
  {
    words: ['night'],
    load: async () => (await import('./commands/night-command.ts')).addNightCommand,
  },
  {
    words: ['usage'],
    load: async () => (await import('./commands/usage-command.ts')).addUsageCommand,
  },
  {
    words: ['budget'],
    load: async () => (await import('./commands/budget-commands.ts')).addBudgetCommands,
  },
  {
    words: ['question'],
    load: async () => (await import('./commands/question-commands.ts')).addQuestionCommands,
  },
  {
    words: ['reserve'],
    load: async () => (await import('./commands/reserve-commands.ts')).addReserveCommands,
  },
  {
    words: ['watch'],
    load: async () => (await import('./commands/watch-command.ts')).addWatchCommand,
  },
  {
    words: ['mcp'],
    load: async () => (await import('./mcp/mcp-command.ts')).addMcpCommand,
  },
  {
    words: ['demo'],
    load: async () => (await import('./commands/demo-command.ts')).addDemoCommand,
  },
  {
    words: ['classify'],
    load: async () => (await import('./commands/classify-command.ts')).addClassifyCommand,
  },
  {
    words: ['step'],
    load: async () => (await import('./commands/step-command.ts')).addStepCommands,
  },
  {
    words: ['backup', 'restore'],
    load: async () => (await import('./commands/backup-commands.ts')).addBackupCommands,
  },
  {
    words: ['service'],
    load: async () => (await import('./service/service-command.ts')).addServiceCommand,
  },
  {
    // What may follow a line is looked up in the whole program: `__complete` names none.
    words: ['completion'],
    load: async () => (await import('./completion/completion-commands.ts')).addCompletionCommands,
  },
];

const VERSION_OPTIONS = ['-V', '--version'];

/** Loads the group of that first word; every group where none has it. The version needs none. */
export async function loadCommands(word: string | undefined): Promise<AddCommands[]> {
  if (word !== undefined && VERSION_OPTIONS.includes(word)) return [];
  const own = GROUPS.filter(({ words }) => word !== undefined && words.includes(word));
  return Promise.all((own.length === 0 ? GROUPS : own).map(({ load }) => load()));
}
