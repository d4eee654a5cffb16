/** The lines above the prompt box: what was asked, what the agent said, how a turn ended. */
import { accent, dim, grey } from './style.ts';
import { wrapText } from './text-width.ts';

const TURN_END_VERBS = ['Baked', 'Brewed', 'Cooked', 'Crunched', 'Worked'];

/** What stands on top of a fresh client. */
export function welcomeRows(version: string, directory: string): string[] {
  return [
    '',
    `${accent(' ◆')} Loopwatch stand-in v${version}`,
    dim('   Plays a scenario · needs no account · spends nothing'),
    dim(`   ${directory}`),
  ];
}

/** A submitted text, echoed. */
export function askedRows(text: string, columns: number): string[] {
  return ['', ...hang('❯ ', text, columns, grey)];
}

/** A line of the agent; one that begins with `⎿` is the result of the line before it. */
export function saidRows(line: string, columns: number): string[] {
  const result = /^⎿\s*(.*)$/su.exec(line);
  if (result?.[1] !== undefined) return hang('  ⎿  ', result[1], columns, dim);
  return ['', ...hang('● ', line, columns)];
}

/** Closes a turn that came to its natural end; `turn` varies the word, as the client does. */
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

function hang(mark: string, text: string, columns: number, paint = plain): string[] {
  const indent = ' '.repeat(mark.length);
  const rows = text.split('\n').flatMap((line) => wrapText(line, columns - mark.length));
  return rows.map((row, index) => paint((index === 0 ? mark : indent) + row.trimEnd()));
}

function plain(text: string): string {
  return text;
}
