/** What the command line asks for. */
export interface Launch {
  version: boolean;
  sessionId: string | null;
  permissionMode: string | null;
  settings: string | null;
  prompt: string | null;
  /** Null for the interactive client. */
  headless: HeadlessLaunch | null;
}

export interface HeadlessLaunch {
  /** The conversation to continue. */
  resume: string | null;
  outputFormat: string;
  inputFormat: string;
  verbose: boolean;
  /** False when nothing of the conversation is kept. */
  persist: boolean;
  /** False when the agent may use none. */
  tools: boolean;
}

const FLAGS_WITH_VALUE = new Set([
  '--settings',
  '--plugin-dir',
  '--session-id',
  '--permission-mode',
  '-r',
  '--resume',
  '--output-format',
  '--input-format',
  '--add-dir',
  '--tools',
  '--setting-sources',
  '--max-turns',
  '--model',
  '--mcp-config',
  '--system-prompt',
  '--append-system-prompt',
]);

/**
 * Ignores unknown flags, so that a supervisor may pass what the real client of any version
 * takes; the prompt is the last positional argument.
 */
export function parseArguments(words: readonly string[]): Launch {
  const values = new Map<string, string>();
  const switches = new Set<string>();
  const positionals: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const [flag, inline] = splitFlag(word);
    if (word === '--') {
      positionals.push(...words.slice(index + 1));
      break;
    } else if (FLAGS_WITH_VALUE.has(flag)) {
      if (inline === undefined) index += 1;
      values.set(flag, inline ?? words[index] ?? '');
    } else if (word.startsWith('-')) {
      switches.add(word);
    } else {
      positionals.push(word);
    }
  }
  const isHeadless = switches.has('-p') || switches.has('--print');
  return {
    version: switches.has('--version') || switches.has('-v'),
    sessionId: values.get('--session-id') ?? null,
    permissionMode: values.get('--permission-mode') ?? null,
    settings: values.get('--settings') ?? null,
    prompt: positionals.at(-1) ?? null,
    headless: isHeadless ? headlessLaunch(values, switches) : null,
  };
}

function headlessLaunch(
  values: ReadonlyMap<string, string>,
  switches: ReadonlySet<string>,
): HeadlessLaunch {
  return {
    resume: values.get('-r') ?? values.get('--resume') ?? null,
    outputFormat: values.get('--output-format') ?? 'text',
    inputFormat: values.get('--input-format') ?? 'text',
    verbose: switches.has('--verbose'),
    persist: !switches.has('--no-session-persistence'),
    tools: values.get('--tools') !== '',
  };
}

function splitFlag(word: string): [string, string | undefined] {
  const at = word.indexOf('=');
  return word.startsWith('--') && at > 0
    ? [word.slice(0, at), word.slice(at + 1)]
    : [word, undefined];
}
