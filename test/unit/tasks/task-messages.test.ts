/**
 * The message to an agent at the start of a task or a new conversation, and the end of the old one
 * that is kept.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EndCriteria } from '../../../shared/schema/tasks/end-criteria.ts';
import { digest } from '../../../server/turns/digest.ts';
import {
  type StartMessage,
  startMessage,
  type StartProject,
} from '../../../server/tasks/messages/start-message.ts';
import { summaryOf } from '../../../server/tasks/messages/summary.ts';
import { withoutAbsolutePaths } from '../../../server/tasks/messages/without-absolute-paths.ts';

const CRITERIA: EndCriteria = {
  criteria: 'All tests pass',
  max_iterations: 20,
  max_tokens: 5_000,
  max_cost_usd: null,
  max_minutes: 30,
  gates: [{ name: 'types', command: 'tsc' }],
  test_commands: null,
};

const SHOP: StartProject = {
  name: 'shop',
  access: 'write',
  context: '',
  branch: 'task/a',
  base: 'main',
  type: null,
  markers: {
    files: ['package.json', 'tsconfig.json'],
    tests: ['test'],
    programs: [],
    has_test_script: true,
    has_test_target: false,
    scripts: ['test'],
    targets: [],
  },
  paths: ['/home/me/shop', '/home/me/shop/.worktrees/a', '/data/shop'],
};
const DOCS: StartProject = {
  name: 'docs',
  access: 'read',
  context: 'The old texts',
  branch: null,
  base: null,
  type: 'website',
  markers: null,
  paths: ['/srv/docs'],
};

function message(more: Partial<StartMessage> = {}): string {
  return startMessage({
    description: 'Add a cache',
    context: 'Redis is there',
    criteria: CRITERIA,
    projects: [SHOP, DOCS],
    homes: ['/home/me'],
    ...more,
  });
}

it('TM1 the first message says what, where, until when, and how to end', () => {
  const text = message();
  for (const part of [
    'Add a cache',
    'Redis is there',
    'current directory (shop)',
    '`task/a`',
    '`main`',
    'node (package.json, tsconfig.json)',
    'Tests are in: test.',
    'All tests pass',
    'types: `tsc`',
    '20 turns, 5000 output tokens, 30 minutes of work',
    'The task is complete.',
    '### docs',
    'read-only',
    'The old texts',
    'website',
  ]) {
    expect(text).toContain(part);
  }
  expect(text.startsWith('Add a cache\n')).toBe(true);
  expect(text).not.toMatch(/null|undefined|\n\n\n/);
});

it('TM1 a description that begins like a command of the client is not one', () => {
  for (const description of ['/clear the cache', ' \n/etc/hosts is wrong']) {
    const text = message({ description });
    expect(text.startsWith(`## The task\n\n${description.trim()}\n`)).toBe(true);
  }
});

it('TM1 missing things are not mentioned', () => {
  const bare = { ...SHOP, branch: null, base: null, markers: null };
  const criteria = { ...CRITERIA, criteria: null, gates: [], max_tokens: null, max_minutes: null };
  const text = message({ context: '', projects: [bare], criteria });
  expect(text).not.toMatch(/Context|Branch|Project type|Other projects|commands|tokens/);
  expect(text).toContain('at most 20 turns.');
  expect(message({ projects: [{ ...SHOP, access: 'read' }] })).toContain('is read-only');
});

it.each([
  ['Look into /home/me/shop.', 'Look into the current directory.'],
  ['Look into /home/me/shop/ now', 'Look into the current directory now'],
  ['/home/me/shop/src/a.ts:3', './src/a.ts:3'],
  ['(see "/data/shop/.env")', '(see "./.env")'],
  ['in /home/me/shop/.worktrees/a/b', 'in ./b'],
  ['//home//me/shop/x', './x'],
  ['file:///home/me/shop/x', './x'],
  ['gcc -I/home/me/shop/include', 'gcc -I./include'],
  ['PATH=/home/me/shop:/srv/docs/bin', 'PATH=the current directory:docs/bin'],
  ['/home/me/shop-2/x and /home/me/shop.old', '~/shop-2/x and ~/shop.old'],
  ['/home/me', '~'],
  ['~/shop and $HOME/shop', '~/shop and $HOME/shop'],
])('TM2 %j becomes %j', (text, said) => {
  expect(message({ description: text }).split('\n')[0]).toBe(said);
});

it.each([
  'GET /api/users and /api/v1/tasks/:id',
  'https://example.com/home/me/shop/x and https://home/me/shop',
  'http://localhost:3000/srv/docs',
  'src/home/me/shop, ../data/shop, /mnt/srv/docs',
  '/home/mel/shop, /srv/docs2, /srv/docs_old',
  '/etc/hosts and C:\\srv\\docs',
])('TM2 %j stays', (text) => {
  const sent = message({ description: text }).replace(/^## The task\n\n/, '');
  expect(sent.split('\n')[0]).toBe(text);
});

it('TM2 a known directory is not named in any surrounding text', () => {
  // Of letters that appear nowhere else in the text.
  const segment = fc.stringMatching(/^Q[k-q+(]{1,5}$/);
  const place = fc
    .array(segment, { minLength: 1, maxLength: 4 })
    .map((names) => `/${names.join('/')}`);
  const between = fc.constantFrom(
    ' ',
    '\n',
    '"',
    '(',
    ') ',
    '`',
    ', ',
    "'",
    '=',
    ' é ',
    ': ',
    '/ ',
  );
  fc.assert(
    fc.property(
      fc.array(place, { minLength: 1, maxLength: 4 }),
      fc.array(fc.tuple(between, fc.nat(3), fc.constantFrom('', '/src/a.ts', '/.git', '/')), {
        maxLength: 8,
      }),
      (roots, uses) => {
        const known = roots.map((path, index) => ({
          path,
          name: `<${index}>`,
          prefix: `<${index}>:`,
        }));
        const text = uses.map(
          ([mark, index, rest]) => `${mark}${roots[index % roots.length] ?? ''}${rest} `,
        );
        const said = withoutAbsolutePaths(text.join(''), known);
        for (const root of roots) expect(said).not.toContain(root);
        expect(said.match(/</g) ?? []).toHaveLength(uses.length);
      },
    ),
    { numRuns: 300 },
  );
});

it('TM2 a root that contains everything removes nothing', () => {
  const known = [{ path: '/', name: 'x', prefix: 'x/' }];
  expect(withoutAbsolutePaths('/etc and a/b', known)).toBe('/etc and a/b');
});

it('TM3 a new conversation gets the last ten interactions, 500 characters of each', () => {
  const said = Array.from({ length: 14 }, (_, n) => ({
    type: 'claude_response' as const,
    content: n === 5 ? ' ' : `reply ${n}\nmore ${'x'.repeat(600)}`,
  }));
  const text = digest([...said, { type: 'user_request', content: 'Use tabs' }]);
  expect(text.match(/^(?:You|The user) said:$/gm)).toHaveLength(10);
  expect(text).not.toMatch(/reply 3\b/);
  expect(text).toMatch(/reply 13\n> more x+…\n\nThe user said:\n> Use tabs$/);
  expect(text).toContain('a record, not a request');
  expect(text.length).toBeLessThan(10 * 560 + 400);
  expect(digest([])).toBe('');
});

it.each([
  ['Intro.\n\n## Summary\n\nA cache.\nTests.\n\nMore.', 'A cache.\nTests.'],
  ['**Implementation Summary:**\n- one\n- two', '- one\n- two'],
  ["What I've done\n\nIt works.", 'It works.'],
  ['Summary: it works.\nWell.\n\nBye', 'it works.\nWell.'],
  ['## Summary\n\nold\n\n## Summary\n\nnew', 'new'],
  ['## Summary\n', '## Summary'],
  ['No heading, the summary is short.', 'No heading, the summary is short.'],
  ['', ''],
])('TM4 the summary of %j is %j', (text, summary) => {
  expect(summaryOf(text)).toBe(summary);
});

it('TM4 it is bounded', () => {
  expect(summaryOf(`## Summary\n${'x'.repeat(900)}`)).toBe(`${'x'.repeat(499)}…`);
  expect(summaryOf('x'.repeat(900))).toBe(`${'x'.repeat(299)}…`);
});
