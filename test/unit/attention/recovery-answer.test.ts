/** Automatic answers: the table of modes, and a list that no disguise gets past. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecoveryMode } from '../../../shared/schema/loops/recovery-mode.ts';
import { recoveryAnswer } from '../../../server/policy/stall/recovery-answer.ts';
import { readStallPrompt } from '../../../server/policy/stall/read-stall-prompt.ts';
import type { StallPrompt } from '../../../server/policy/asking-patterns.ts';
import { readConfig } from '../../../server/lib/config/config.ts';
import { drawScreen } from '../../support/terminals/draw-screen.ts';
import { dressing } from '../../support/browser/dress-text.ts';
import { STALL_SCREENS } from '../../support/terminals/stall-screens.ts';

type Asked = Partial<StallPrompt> & { lines: string[] };

function answer(mode: RecoveryMode, asked: Asked): string {
  const given = recoveryAnswer({ kind: 'yes_no', where: 'line', ...asked }, mode);
  return 'answer' in given ? `<${given.answer}>` : given.refused;
}

function answers(asked: Asked): string[] {
  return RecoveryMode.options.map((mode) => answer(mode, asked));
}

describe('the table', () => {
  it('PO6 continues with Enter, `continue`, or a letter', () => {
    const continuation = { kind: 'continuation', lines: ['Continue?'] } as const;
    expect(answers({ ...continuation, lines: ['Press enter to continue'] })).toEqual([
      'off',
      '<>',
      '<>',
    ]);
    const prose = { where: 'agent_prose' } as const;
    expect(answers({ ...continuation, ...prose, lines: ['Continue?'] })).toEqual([
      'off',
      '<continue>',
      '<continue>',
    ]);
    expect(answers({ kind: 'proceed', ...prose, lines: ['Shall I continue?'] })).toEqual([
      'off',
      '<yes>',
      '<yes>',
    ]);
    expect(answers({ lines: ['Use the new reader? (y/n)'] })).toEqual(['off', '<y>', '<y>']);
  });

  it('PO9 in `safe` leaves decisions to a person, except a continuation', () => {
    const lines = ['I replaced the parser and pushed the branch. Shall I continue?'];
    expect(answers({ kind: 'proceed', lines })).toEqual(['off', 'not_safe', '<yes>']);
    expect(answers({ lines: ['Install the packages? [Y/n]'] })).toEqual(['off', 'not_safe', '<y>']);
    expect(answers({ lines: ['Are you sure? [y/N]'] })).toEqual(['off', 'not_safe', '<y>']);
    const continuation = { kind: 'continuation', where: 'agent_prose' } as const;
    const continuing = ['The packages are installed. Continue?'];
    expect(answers({ ...continuation, lines: continuing })).toEqual([
      'off',
      '<continue>',
      '<continue>',
    ]);
  });

  it('PO7 answers in no mode a text it cannot read', () => {
    expect(answers({ lines: ['Удалить всё? (y/n)'] })).toEqual(['off', 'not_safe', 'not_safe']);
    expect(answers({ lines: ['x '.repeat(5_000), '(y/n)'] })).toEqual([
      'off',
      'not_safe',
      'not_safe',
    ]);
  });
});

/** One for each thing that is never done without a person, in a typical wording. */
const DENIED = [
  'delete the old files',
  'Deleting 3 branches',
  'deletion of the table',
  'undelete it',
  'remove the worktree',
  'removal',
  'rm -rf build',
  'rm -r -f build',
  'rm a.txt',
  'rmdir x',
  'drop the table',
  'dropping the database',
  'DROP TABLE users',
  'git stash drop',
  'truncate logs',
  'wipe the disk',
  'wiping',
  'erase everything',
  'overwrite a.txt',
  'overwritten',
  'discard changes',
  'git reset --hard',
  'a hard reset',
  'force push',
  'git push --force',
  'git push -f',
  'forced update',
  '--force-with-lease',
  'npm publish',
  'unpublish it',
  'deploy it',
  'redeploying',
  'release 2.0',
  'migrate production',
  'run it on prod',
  'purchase credits',
  'buy more',
  'pay for it',
  'payment',
  'send an e-mail',
  'send the email',
  'mail the team',
  'revoke the key',
  'rotate credentials',
  'print the secrets',
  'the password',
  'the API key',
  'sudo make install',
  'format the disk',
  'mkfs.ext4',
  'kill the server',
  'pkill node',
  'shutdown now',
  'shut down the box',
  'chmod -R 777 .',
  'chown root',
  'merge to main',
  'merge the branch into main',
  'push it to master',
  'git clean -fd',
  'destroy the stack',
  'uninstall it',
  'purge the cache',
  'this cannot be undone',
  'all data will be lost',
  'permanently',
  'bypass the checks',
  'terraform apply',
  'prune the images',
  'unlink it',
  'deleteAllUsers()',
  'drop_table',
  'Alle Dateien löschen',
  'supprimer le fichier',
];

it('PO9 the mode is a setting, `safe` by default; other values are refused', () => {
  expect(readConfig({}).recovery).toBe('safe');
  expect(readConfig({ LOOPWATCH_RECOVERY: 'off' }).recovery).toBe('off');
  expect(() => readConfig({ LOOPWATCH_RECOVERY: 'always' })).toThrow('LOOPWATCH_RECOVERY');
});

describe('the deny list', () => {
  it.each(DENIED)('PO7 never answers "%s"', (words) => {
    for (const kind of ['continuation', 'yes_no', 'proceed'] as const) {
      for (const where of ['line', 'agent_prose'] as const) {
        const asked = { kind, where, lines: [`I will ${words}.`, 'Shall I continue? (y/n)'] };
        expect(answers(asked)).toEqual(['off', 'destructive', 'destructive']);
      }
    }
  });

  it('PO7 answers text that only resembles it', () => {
    for (const words of [
      'the payload',
      'a dropdown',
      'the formatter',
      'the skills',
      'in order to pass',
    ]) {
      expect(answer('full', { lines: [`Test ${words}? (y/n)`] })).toBe('<y>');
    }
  });

  it('PO7 never answers it in any case, spacing, wrapping or Unicode', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...DENIED),
        dressing,
        fc.constantFrom(...KINDS),
        (words, dress, kind) => {
          const lines = dress(`I will now ${words}. Shall I go on? (y/n)`);
          for (const mode of ['safe', 'full'] as const) {
            const given = recoveryAnswer({ kind, where: 'line', lines }, mode);
            expect(given, JSON.stringify(lines)).toHaveProperty('refused');
          }
        },
      ),
      { numRuns: 5_000, seed: 20_261_121 },
    );
  });

  it('PO7, PO10 the list is read in the whole message, however far above the question', () => {
    const above = [
      '❯ go',
      '',
      '● I will drop the old tables first.',
      '',
      ...Array.from({ length: 12 }, (_, index) => `  - table ${index}`),
      '',
      '  Shall I continue?',
    ];
    for (const columns of [40, 80, 120, 200]) {
      const prompt = readStallPrompt(drawScreen({ columns, above }));
      expect(prompt?.lines).toEqual(['I will drop the old tables first.', 'Shall I continue?']);
      expect(recoveryAnswer(prompt as StallPrompt, 'full')).toEqual({ refused: 'destructive' });
    }
  });

  it('PO7, PO10 the list is read on the whole screen of a program that asks on its last line', () => {
    const rows = [
      'These files will be deleted:',
      '',
      ...Array<string>(20).fill('  a.txt'),
      '',
      'Go on? [y/N]',
    ];
    const cursor = [rows.length - 1, 12] as const;
    const prompt = readStallPrompt({ rows, cursor, program: 'tool' });
    expect(prompt?.lines).toEqual(['These files will be deleted:', 'Go on? [y/N]']);
    expect(recoveryAnswer(prompt as StallPrompt, 'full')).toEqual({ refused: 'destructive' });
  });
});

it('PO6 answers every question of the screens that ask one in `full`', () => {
  for (const { name, draw } of STALL_SCREENS['prompts'] ?? []) {
    const prompt = readStallPrompt(draw(120));
    expect(recoveryAnswer(prompt as StallPrompt, 'full'), name).toHaveProperty('answer');
    expect(prompt?.lines.length).toBeLessThanOrEqual(5);
  }
});

const KINDS = ['continuation', 'yes_no', 'proceed'] as const;
