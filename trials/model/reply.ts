/** What the model answers to one request of the client. */
export type Reply =
  | { kind: 'text'; text: string; overMs?: number }
  /** `asks`: the client asks a person before it runs the tool. */
  | { kind: 'tool'; tool: string; input: object; asks: boolean }
  | { kind: 'error'; status: number; type: string; message: string; headers?: Headers }
  /** The answer begins, then nothing follows. */
  | { kind: 'hang'; text: string };

type Headers = Record<string, string>;

export function say(text: string, overMs = 0): Reply {
  return { kind: 'text', text, overMs };
}

export function run(command: string): Reply {
  const input = { command, description: 'Run a command of the trial' };
  return { kind: 'tool', tool: 'Bash', input, asks: true };
}

export function overloaded(): Reply {
  return { kind: 'error', status: 529, type: 'overloaded_error', message: 'Overloaded' };
}

export function brokenServer(): Reply {
  return { kind: 'error', status: 500, type: 'api_error', message: 'Internal server error' };
}
