/** The words that run one turn of the client, and what it reads from standard input. */
import type { PermissionMode } from '../../../shared/schema/tasks/task.ts';
import type { TaskImage } from '../../../shared/schema/tasks/task-input.ts';

export interface Say {
  message: string;
  images?: readonly TaskImage[];
  /** The conversation that goes on; null begins one. */
  sessionId: string | null;
  permissionMode: PermissionMode;
  /** `none` is for checks: no tools, no MCP, no settings of anybody, nothing kept. */
  tools: 'all' | 'none';
  addDirectories: readonly string[];
}

export interface TurnCommand {
  args: string[];
  /** For standard input; null for none. */
  input: string | null;
}

/** Linux takes no single argument of 128 KiB. */
const MAX_ARGUMENT_BYTES = 100_000;

/**
 * Proven with 2.1.329: the request has no tools, no server, no memory of the user. Attached values,
 * because an empty word of its own gets lost in other hands.
 */
const NOTHING_BUT_WORDS = [
  '--tools=',
  '--strict-mcp-config',
  '--setting-sources=',
  '--disable-slash-commands',
  '--no-session-persistence',
];

/** Takes what is to be said; gives the client's arguments. */
export function turnCommand(say: Say): TurnCommand {
  const message = shielded(say.message);
  const images = say.images ?? [];
  const inArgument = images.length === 0 && Buffer.byteLength(message) <= MAX_ARGUMENT_BYTES;
  const args = [
    ...(say.sessionId === null ? [] : ['-r', say.sessionId]),
    ...(inArgument ? ['-p', message] : ['-p', '--input-format', 'stream-json']),
    '--output-format',
    'stream-json',
    '--verbose',
    '--permission-mode',
    say.permissionMode,
    ...say.addDirectories.flatMap((directory) => ['--add-dir', directory]),
    ...(say.tools === 'none' ? NOTHING_BUT_WORDS : []),
  ];
  return { args, input: inArgument ? null : `${JSON.stringify(userLine(message, images))}\n` };
}

/** A message that begins like an option would be read as one; no argument can hold a NUL. */
function shielded(message: string): string {
  const whole = message.replaceAll('\0', '');
  return whole.startsWith('-') ? `\n${whole}` : whole;
}

function userLine(message: string, images: readonly TaskImage[]) {
  const content = [
    { type: 'text', text: message },
    ...images.map(({ media_type, base64: data }) => ({
      type: 'image',
      source: { type: 'base64', media_type, data },
    })),
  ];
  return {
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    session_id: '',
  };
}
