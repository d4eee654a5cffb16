/** The lines above the prompt box: prompts, replies of the agent, ends of turns. */
import { accent, bold, dim, green, grey, red } from '../style.ts';
import { wrapText } from '../text-width.ts';

const TURN_END_VERBS = ['Baked', 'Brewed', 'Cooked', 'Crunched', 'Worked'];

/** The top of a fresh client. */
export function welcomeRows(version: string, directory: string): string[] {
  return [
    '',
    `${accent(' ◆')} Loopwatch stand-in v${version}`,
    dim('   Plays a scenario · needs no account · spends nothing'),
    dim(`   ${directory}`),
  ];
}

/** A submitted text, echoed. */
export function promptRows(text: string, columns: number): string[] {
  return ['', ...hang('❯ ', text, columns, grey)];
}

/**
 * A line of the agent; what follows a `⎿` is the result of the line above. Coloured as the client
 * does it: tool calls, additions and removals, success.
 */
export function messageRows(line: string, columns: number): string[] {
  const [, said = '', result] = /^(.*?)(?:(?:^|\n)⎿\s*(.*))?$/su.exec(line) ?? [];
  return [
    ...(said === '' ? [] : ['', ...hang('● ', said, columns, paintMessage)]),
    ...(result === undefined ? [] : hang('  ⎿  ', result, columns, paintResult)),
  ];
}

function paintMessage(row: string): string {
  const [, mark = '', call, rest = ''] = /^(● )?(?:(\w+)(?=\())?(.*)$/su.exec(row) ?? [];
  const words = rest.replace(/\b(?:PASS|CONTINUE|ACCEPT)\b/g, green);
  return (mark === '' ? '' : green(mark)) + (call === undefined ? '' : bold(call)) + words;
}

function paintResult(row: string): string {
  if (/^ {5}\d+ \+ |^[ ⎿]{5}(?:✓|\d+ passed$)/u.test(row)) return green(row);
  return /^ {5}\d+ - /.test(row) ? red(row) : dim(row);
}

/** Closes a turn that ended normally; `turn` varies the word, as the client does. */
export function turnEndRows(turn: number, elapsedMs: number, at: Date): string[] {
  const verb = TURN_END_VERBS[turn % TURN_END_VERBS.length] ?? 'Worked';
  const time = at.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
  return ['', dim(`✻ ${verb} for ${duration(elapsedMs)} · done ${time}`)];
}

/** Whole seconds, with minutes once there are any. */
export function duration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}

function hang(
  mark: string,
  text: string,
  columns: number,
  paint: (row: string) => string,
): string[] {
  const indent = ' '.repeat(mark.length);
  const rows = text.split('\n').flatMap((line) => wrapText(line, columns - mark.length));
  return rows.map((row, index) => paint((index === 0 ? mark : indent) + row.trimEnd()));
}
