/** What a submitted text asks for. */
export type Submission =
  | { kind: 'auto'; directory: string }
  | { kind: 'exit' }
  | { kind: 'clear' }
  | { kind: 'init' }
  | { kind: 'unknown_command' }
  | { kind: 'talk' };

/** `text` is trimmed and not empty; from the prompt box or the command line. */
export function parseSubmission(text: string): Submission {
  const auto = /^\/[\w.-]+:auto\s+(.+)$/.exec(text);
  if (auto?.[1] !== undefined) return { kind: 'auto', directory: auto[1] };
  if (text === '/exit') return { kind: 'exit' };
  if (text === '/clear') return { kind: 'clear' };
  if (text === '/init') return { kind: 'init' };
  return { kind: text.startsWith('/') ? 'unknown_command' : 'talk' };
}
