/** Well-formed bodies with one invalid value. */
import { valueTable } from './bodies.ts';

const LOOP = '/api/sessions/web/task-auto';
const task = (more: object) => ({
  task_name: 'extra',
  description: 'x',
  root_folder: 'DIRECTORY',
  ...more,
});

const LIMITS = valueTable(
  'limits and sizes',
  [0, -1, 1.5, 1001, 2 ** 53 + 2, '20', [20], {}, true].flatMap((value) => {
    const word = JSON.stringify(value);
    return [
      ['WI4', `maxIterations ${word}`, LOOP, { taskDir: 'DIRECTORY', maxIterations: value }],
      [
        'WI4',
        `timeoutMinutes ${word}0`,
        LOOP,
        { taskDir: 'DIRECTORY', timeoutMinutes: value === 1001 ? 10_081 : value },
      ],
      [
        'SE13',
        `a terminal of ${word} columns`,
        '/api/sessions/web/resize',
        { cols: value, rows: 24 },
      ],
    ] as const;
  }),
);

const PEOPLE = valueTable('names of people', [
  ...['admin', 'ADMIN', 'Admin ', 'аdmin', 'ádmin', 'loopwatch', 'Loopwatch', 'daemon'].map(
    (name) =>
      ['PE19', `a person called "${name}"`, '/api/people', { name, role: 'viewer' }] as const,
  ),
  ...[
    ' ',
    '',
    '\u200b',
    '...',
    'a\nb',
    'a\0b',
    'a\u202eb',
    'x'.repeat(41),
    'аdа m',
    '<b>\u0007',
  ].map(
    (name) =>
      [
        'PE3',
        `a person called ${JSON.stringify(name)}`,
        '/api/people',
        { name, role: 'viewer' },
      ] as const,
  ),
  ...['root', 'run', 'ADMIN', '', null, 2, ['admin']].map(
    (role) =>
      ['PE10', `the role ${JSON.stringify(role)}`, '/api/people', { name: 'Extra', role }] as const,
  ),
  [
    'PE10',
    'an id of one’s own',
    '/api/people',
    { name: 'Extra', role: 'viewer', id: '0'.repeat(20) },
  ],
  ['PE10', 'another role for nobody', '/api/people/__proto__', { role: 'admin' }, 'PATCH'],
]);

const TASKS = valueTable('tasks', [
  ...[
    '..',
    '.',
    'a/b',
    '-x',
    '',
    'x'.repeat(201),
    'a b',
    'a\nb',
    'ü',
    '%2e%2e',
    'a;b',
    '__proto__',
    '$(id)',
  ].map(
    (name) =>
      [
        'TW27',
        `a task called ${JSON.stringify(name).slice(0, 20)}`,
        '/api/v1/tasks',
        task({ task_name: name }),
      ] as const,
  ),
  ...[
    '-x',
    '--upload-pack=x',
    '@{-1}',
    'a..b',
    'a.lock',
    '/a',
    'a//b',
    'a b',
    'a~1',
    'a^',
    'a:b',
    'a?b',
    'a[b',
    'a\\b',
    'a\u0001b',
    '.a',
    'a.',
  ].map(
    (branch) =>
      [
        'WT27',
        `a branch called ${JSON.stringify(branch)}`,
        '/api/v1/tasks',
        task({ branch_name: branch }),
      ] as const,
  ),
  ...['-x', '--output=x', 'a..b', '@{u}', 'HEAD~1'].map(
    (base) =>
      [
        'WT27',
        `a base called ${JSON.stringify(base)}`,
        '/api/v1/tasks',
        task({ base_branch: base }),
      ] as const,
  ),
  ['WT26', 'a base called "nowhere"', '/api/v1/tasks', task({ base_branch: 'nowhere' })],
  ...['project', '../x', '~', 'file:///', '/\0', '/etc', '/proc/self/cwd', '/dev/null'].map(
    (path) =>
      [
        'SE8',
        `a task in ${JSON.stringify(path)}`,
        '/api/v1/tasks',
        task({ root_folder: path }),
      ] as const,
  ),
  ['TW27', 'a task that depends on itself', '/api/v1/tasks', task({ depends_on: ['extra'] })],
  [
    'TW27',
    'a task that depends on nothing there is',
    '/api/v1/tasks',
    task({ depends_on: ['nowhere'] }),
  ],
  [
    'TW27',
    'a task with 21 dependencies',
    '/api/v1/tasks',
    task({ depends_on: Array(21).fill('a') }),
  ],
  [
    'TW27',
    'a task with 11 gates',
    '/api/v1/tasks',
    task({ gates: Array(11).fill({ name: 'a', command: 'b' }) }),
  ],
  ['TW27', 'a task with a priority of 1e9', '/api/v1/tasks', task({ priority: 1e9 })],
  ['TW27', 'a task with an unknown permission', '/api/v1/tasks', task({ permission_mode: 'root' })],
  ['TW27', 'a task with a cost of nothing', '/api/v1/tasks', task({ max_cost_usd: 0 })],
  ['TW27', 'a task of blanks', '/api/v1/tasks', task({ description: ' \n ' })],
  [
    'TW27',
    'a task of 50,001 characters',
    '/api/v1/tasks',
    task({ description: 'x'.repeat(50_001) }),
  ],
  ['TW34', 'words of NUL', '/api/v1/tasks/by-name/none/user-input', { input: 'a\0b' }],
  [
    'TW34',
    'an image of SVG',
    '/api/v1/tasks/by-name/none/user-input',
    { input: 'x', images: [{ base64: 'AAAA', media_type: 'image/svg+xml' }] },
  ],
  [
    'TW34',
    'an image that is no Base64',
    '/api/v1/tasks/by-name/none/user-input',
    { input: 'x', images: [{ base64: '<svg>', media_type: 'image/png' }] },
  ],
  [
    'TW34',
    'six images',
    '/api/v1/tasks/by-name/none/user-input',
    { input: 'x', images: Array(6).fill({ base64: 'AAAA', media_type: 'image/png' }) },
  ],
]);

export const VALUE_TABLES = [LIMITS, PEOPLE, TASKS];
