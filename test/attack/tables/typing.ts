/** Texts with a meaning to tmux, a terminal or a shell: they arrive unchanged, and run nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listen, openShell, runInShell, typeInto } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import type { Attack, Table, Target } from '../attack.ts';

export interface Typing extends Target {
  /** What the foreground program of `web` has read so far. */
  heard: () => string;
}

export async function openListener(target: Target): Promise<Typing> {
  const { api, world } = target;
  await openShell(api, 'plain', world.taskDir('plain'));
  const cwd = world.taskDir('web');
  await openShell(api, 'web', cwd);
  const file = join(cwd, 'heard');
  await listen(api, 'web', file);
  return { ...target, heard: () => readFileSync(file, 'utf8') };
}

const TOUCH = 'touch pwned';

/** A text, and the line it must arrive as when that differs. */
const TEXTS: [name: string, text: string, line?: string][] = [
  ['a semicolon', ';'],
  ['a final semicolon', 'a;'],
  ['an escaped semicolon', 'a\\;'],
  ['a tmux command', `; run-shell '${TOUCH}'`],
  ['a tmux command on its own line', `\\; kill-server`, '\\; kill-server'],
  ['a tmux format that runs', `#(${TOUCH})`],
  ['a tmux format', '#{pane_pid} #S #{q:pane_title}'],
  ['a tmux style', '#[fg=red]x'],
  ['a tmux target', '-t main:'],
  ['an option of tmux', '-l'],
  ['the end of options', '--'],
  ['the key Enter by name', 'Enter'],
  ['the key C-c by name', 'C-c'],
  ['the key Escape by name', 'Escape'],
  ['a command substitution', `$(${TOUCH})`],
  ['backticks', `\`${TOUCH}\``],
  ['a process substitution', `<(${TOUCH})`],
  ['quotes', `'"; ${TOUCH}; "'`],
  ['a history expansion', '!! !$ !-1'],
  ['braces and stars', '{a,b} * ? ~ [a]'],
  ['backslashes', '\\n \\x1b \\u001b \\'],
  ['the end of a paste', `x\u001b[201~${TOUCH}`, `x[201~${TOUCH}`],
  ['the end of a paste in C1', `x\u009b201~${TOUCH}`, `x201~${TOUCH}`],
  ['the end of a paste, split', `x\u001b\u0000[201~${TOUCH}`, `x[201~${TOUCH}`],
  ['an end of file', `a\u0004b`, 'ab'],
  ['an interrupt', `a\u0003b`, 'ab'],
  ['a suspension', `a\u001ab`, 'ab'],
  ['a quit', `a\u001cb`, 'ab'],
  ['an erased word', 'secret\u0017x', 'secretx'],
  ['an erased line', 'secret\u0015x', 'secretx'],
  ['backspaces', 'secret\u0008\u007fx', 'secretx'],
  ['the next key as it is', 'a\u0016b', 'ab'],
  ['a NUL', 'a\u0000b', 'ab'],
  ['flow control', 'a\u0013b\u0011c', 'abc'],
  ['an alternate charset', 'a\u000eb\u000fc', 'abc'],
  ['a title', 'a\u001b]0;x\u0007b', 'a]0;xb'],
  ['a clipboard', 'a\u001b]52;c;eA==\u001b\\b', 'a]52;c;eA==\\b'],
  ['C1 controls', 'a\u0085b\u009cc\u0090d', 'abcd'],
  ['a mark that turns text around', 'a\u202eb\u202cc'],
  ['zero-width characters', 'a\u200bb\u200dc\ufeffd'],
  ['combining characters', `a${'\u0301'.repeat(50)}b`],
  ['characters outside of the first plane', '😀👨‍👩‍👧𝔘'],
  ['3,900 bytes', 'x'.repeat(3_900)],
];

const hasRun = ({ world }: Typing) =>
  readdirSync(world.root, { recursive: true, encoding: 'utf8' }).some((path) =>
    path.endsWith('/pwned'),
  );

async function arrivalOf(scene: Typing, text: string) {
  const before = scene.heard().length;
  const delivery = await typeInto(scene.api, 'web', text);
  if (delivery === 'typed') await until('a line', () => scene.heard().slice(before).endsWith('\n'));
  return { delivery, line: scene.heard().slice(before).replace(/\n$/, ''), ran: hasRun(scene) };
}

export const TYPING_TABLE: Table<Typing> = {
  title: 'texts that are typed',
  twin: async (scene) => {
    const { api, world } = scene;
    await runInShell(api, 'plain', TOUCH, join(world.root, 'tasks/plain/pwned'));
    return { ...(await arrivalOf(scene, TOUCH)), ran: hasRun(scene) };
  },
  passes: { delivery: 'typed', line: TOUCH, ran: true },
  rows: [
    ...TEXTS.map(([name, text, line = text]): Attack<Typing> => ({
      rule: 'SE3',
      name: `${name} is typed as text`,
      attack: async (scene) => arrivalOf(scene, text),
      holds: { delivery: 'typed', line, ran: false },
    })),
    ...[4_001, 4_096, 60_000].map((length): Attack<Typing> => ({
      rule: 'SE15',
      name: `a line of ${length} bytes is refused whole`,
      attack: async (scene) => arrivalOf(scene, 'x'.repeat(length)),
      holds: { delivery: 'failed', line: '', ran: false },
    })),
  ],
};
