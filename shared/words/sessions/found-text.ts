/** What the page and the shell say about a session that Loopwatch did not start. */
import type {
  FoundClient,
  FoundPlace,
  FoundSession,
  FoundTranscript,
} from '../../schema/agents/found.ts';

export const CLIENT_TEXT: Record<FoundClient, string> = {
  claude: 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini',
};

const PLACE_TEXT: Record<FoundPlace, string> = {
  tmux: 'tmux',
  terminal: 'terminal',
  editor: 'editor',
  background: 'background',
  print: 'print mode',
  unknown: 'no terminal',
};

const EDITOR_TEXT: Record<string, string> = {
  vscode: 'VS Code',
  jetbrains: 'JetBrains',
  zed: 'Zed',
};

/** Stored events from before other clients were found name none. */
export function clientOf({ client }: { client?: FoundClient }): FoundClient {
  return client ?? 'claude';
}

/** Its directory's last part, as a name. */
export function folderOf(path: string): string {
  return path.split('/').findLast((part) => part !== '') ?? path;
}

/** Where it runs, in a few words. */
export function placeText({
  place,
  tmux,
  tty,
  editor,
}: Pick<FoundSession, 'place' | 'tmux' | 'tty' | 'editor'>): string {
  if (place === 'tmux' && tmux !== null) return `tmux pane ${tmux.pane}`;
  if (place === 'editor') return EDITOR_TEXT[editor ?? ''] ?? PLACE_TEXT.editor;
  if (place === 'terminal' && tty !== null) return `${PLACE_TEXT.terminal} ${tty}`;
  return PLACE_TEXT[place];
}

/** What it did last: its current step, else its last call; null when neither is known. */
export function activityOf(transcript: FoundTranscript | null): string | null {
  if (transcript === null) return null;
  const { call, todo } = transcript;
  if (todo !== null) return todo;
  if (call === null) return null;
  return call.subject === null ? call.tool : `${call.tool}: ${call.subject}`;
}
