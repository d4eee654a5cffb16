/** The arguments for one turn of the client, and its standard input. */
import type { PermissionMode } from '../../../shared/schema/tasks/permission-mode.ts';
import type { TaskImage } from '../../../shared/schema/tasks/task-input.ts';

export interface TurnMessage {
  message: string;
  images?: readonly TaskImage[];
  /** The conversation to continue; null starts one. */
  conversationId: string | null;
  permissionMode: PermissionMode;
  /** `none` is for checks: no tools, no MCP, no user settings, nothing stored. */
  tools: 'all' | 'none';
  addDirectories: readonly string[];
  /** Rules of the client for what needs no permission; none holds a comma. */
  allow?: readonly string[];
  /** The client's own default unless given. */
  model?: string;
}

export interface TurnCommand {
  args: string[];
  /** For standard input; null for none. */
  input: string | null;
}

/** Linux accepts no single argument of 128 KiB. */
const MAX_ARGUMENT_BYTES = 100_000;

/**
 * Verified with 2.1.329: the request has no tools, no server, no memory of the user. Attached
 * values, because a separate empty argument can get lost on the way.
 */
const WITHOUT_TOOLS = [
  '--tools=',
  '--strict-mcp-config',
  '--setting-sources=',
  '--disable-slash-commands',
  '--no-session-persistence',
];

export function turnCommand(turn: TurnMessage): TurnCommand {
  const message = shielded(turn.message);
  const { images = [], allow = [] } = turn;
  const inArgument = images.length === 0 && Buffer.byteLength(message) <= MAX_ARGUMENT_BYTES;
  const args = [
    ...(turn.conversationId === null ? [] : ['-r', turn.conversationId]),
    ...(inArgument ? ['-p', message] : ['-p', '--input-format', 'stream-json']),
    '--output-format',
    'stream-json',
    '--verbose',
    '--permission-mode',
    turn.permissionMode,
    ...turn.addDirectories.flatMap((directory) => ['--add-dir', directory]),
    // Attached: detached, the option takes every word up to the next option.
    ...(allow.length === 0 ? [] : [`--allowedTools=${allow.join(',')}`]),
    ...(turn.model === undefined ? [] : ['--model', turn.model]),
    ...(turn.tools === 'none' ? WITHOUT_TOOLS : []),
  ];
  return { args, input: inArgument ? null : `${JSON.stringify(userLine(message, images))}\n` };
}

/** A message that starts like an option would be read as one; no argument can hold a NUL. */
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
