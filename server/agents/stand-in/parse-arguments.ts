/** What the command line asks for. */
export interface Launch {
  version: boolean;
  sessionId: string | null;
  permissionMode: string | null;
  settings: string | null;
  prompt: string | null;
}

const FLAGS_WITH_VALUE = new Set(['--settings', '--session-id', '--permission-mode']);

/**
 * Takes the arguments after the program name. Unknown flags are ignored, so that a supervisor may
 * pass whatever the real client of any version takes; the prompt is the last positional.
 */
export function parseArguments(words: readonly string[]): Launch {
  const values = new Map<string, string>();
  const positionals: string[] = [];
  let version = false;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const [flag, inline] = splitFlag(word);
    if (word === '--') {
      positionals.push(...words.slice(index + 1));
      break;
    } else if (word === '--version' || word === '-v') {
      version = true;
    } else if (FLAGS_WITH_VALUE.has(flag)) {
      if (inline === undefined) index += 1;
      values.set(flag, inline ?? words[index] ?? '');
    } else if (!word.startsWith('-')) {
      positionals.push(word);
    }
  }
  return {
    version,
    sessionId: values.get('--session-id') ?? null,
    permissionMode: values.get('--permission-mode') ?? null,
    settings: values.get('--settings') ?? null,
    prompt: positionals.at(-1) ?? null,
  };
}

function splitFlag(word: string): [string, string | undefined] {
  const at = word.indexOf('=');
  return word.startsWith('--') && at > 0
    ? [word.slice(0, at), word.slice(at + 1)]
    : [word, undefined];
}
