/** What a submitted text asks for. */
export type Submission =
  | { kind: 'auto'; directory: string }
  | { kind: 'exit' }
  | { kind: 'unknown_command' }
  | { kind: 'talk' };

/** `text` is trimmed and not empty; from the prompt box or the command line. */
export function parseSubmission(text: string): Submission {
  const auto = /^\/[\w.-]+:auto\s+(.+)$/.exec(text);
  if (auto?.[1] !== undefined) return { kind: 'auto', directory: auto[1] };
  if (text === '/exit') return { kind: 'exit' };
  return { kind: text.startsWith('/') ? 'unknown_command' : 'talk' };
}
