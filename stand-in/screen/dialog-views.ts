/** The dialogs as the client draws them. */
import type { DialogView } from './dialog.ts';
import { dim, grey } from '../style.ts';
import { wrapText } from '../text-width.ts';

/** Before a command runs. */
export function permissionDialog(command: string, description: string): DialogView {
  const rows = (columns: number) => [
    rule(columns),
    ' Bash command',
    ...(description === '' ? [] : indented(description, columns).map(dim)),
    dashes(columns),
    ...command.split('\n').flatMap((line) => indented(line, columns)),
    dashes(columns),
    ' Do you want to proceed?',
    ' ❯ 1. Yes',
    '   2. No',
    '',
    dim(' Esc to cancel'),
  ];
  return { rows, options: 2 };
}

/** Before a plan is carried out. */
export function planDialog(lines: readonly string[]): DialogView {
  const rows = (columns: number) => [
    rule(columns),
    ' Ready to code?',
    '',
    ' Here is Claude’s plan:',
    dashes(columns),
    ...lines.flatMap((line) => indented(line, columns)),
    dashes(columns),
    ...indented(
      'Claude has written up a plan and is ready to execute. Would you like to proceed?',
      columns,
    ),
    '',
    ' ❯ 1. Yes, and use auto mode',
    '   2. Yes, manually approve edits',
    '   3. No, keep planning',
    '',
    dim(' ctrl+g to edit in Vim'),
  ];
  return { rows, options: 3 };
}

/** Of several answers one. */
export function questionDialog(
  question: string,
  header: string,
  options: readonly { label: string; description: string }[],
): DialogView {
  const rows = (columns: number) => [
    rule(columns),
    ` ☐ ${header}`,
    '',
    ...wrapText(question, columns),
    '',
    ...options.flatMap(({ label, description }, index) => [
      `${index === 0 ? '❯' : ' '} ${index + 1}. ${label}`,
      dim(`     ${description}`),
    ]),
    `  ${options.length + 1}. Type something.`,
    rule(columns),
    `  ${options.length + 2}. Chat about this`,
    '',
    dim('Enter to select · ↑/↓ to navigate · Esc to cancel'),
  ];
  return { rows, options: options.length };
}

function rule(columns: number): string {
  return grey('─'.repeat(columns));
}

function dashes(columns: number): string {
  return grey('╌'.repeat(columns));
}

function indented(line: string, columns: number): string[] {
  return wrapText(line, columns - 1).map((row) => ` ${row}`);
}
