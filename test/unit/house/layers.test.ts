/**
 * The layers as data. A failure means that the named import is wrong, or that the table must change
 * for a good reason.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FILES, IMPORTS, ROOT, TOOL_IMPORTS } from '../../support/house/source-imports.ts';

/** What each folder may import besides itself, `shared`, `server/lib` and packages; each is used. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  shared: [],
  web: [],
  client: [],
  'stand-in': [],
  // base
  'server/lib': [],
  'server/db': [],
  // adapters
  'server/events': ['server/db'],
  'server/terminals': [],
  'server/agents': [],
  // services
  'server/people': ['server/events', 'server/db'],
  'server/sessions': ['server/agents', 'server/terminals', 'server/events', 'server/db'],
  'server/attention': ['server/agents', 'server/events', 'server/db'],
  'server/policy': ['server/agents'],
  'server/alerts': ['server/events', 'server/db'],
  'server/push': ['server/alerts', 'server/people', 'server/events', 'server/db'],
  'server/fleet': ['server/people', 'server/events', 'server/db'],
  'server/idempotency': ['server/events', 'server/db'],
  'server/worktrees': ['server/events', 'server/db'],
  'server/projects': ['server/events', 'server/db'],
  'server/prompts': ['server/events', 'server/db'],
  'server/modules': ['server/projects', 'server/events'],
  'server/checkpoints': [],
  'server/usage': ['server/agents', 'server/events', 'server/db'],
  'server/client-hooks': ['server/agents'],
  'server/found': ['server/agents', 'server/terminals', 'server/events'],
  'server/questions': ['server/attention', 'server/policy', 'server/events', 'server/db'],
  'server/reserve': ['server/usage', 'server/events', 'server/db'],
  'server/budgets': ['server/reserve', 'server/usage', 'server/events', 'server/db'],
  // floor
  'server/supervision': [
    'server/sessions',
    'server/attention',
    'server/budgets',
    'server/policy',
    'server/agents',
    'server/terminals',
    'server/events',
  ],
  'server/continuing': [
    'server/supervision',
    'server/found',
    'server/sessions',
    'server/agents',
    'server/events',
  ],
  'server/claims': ['server/worktrees'],
  'server/turns': ['server/usage', 'server/agents', 'server/events', 'server/db'],
  'server/checks': ['server/agents', 'server/projects'],
  // supervisors
  'server/auto': [
    'server/supervision',
    'server/sessions',
    'server/budgets',
    'server/attention',
    'server/modules',
    'server/worktrees',
    'server/agents',
    'server/events',
    'server/db',
  ],
  'server/tasks': [
    'server/supervision',
    'server/turns',
    'server/checks',
    'server/claims',
    'server/projects',
    'server/worktrees',
    'server/budgets',
    'server/attention',
    'server/policy',
    'server/usage',
    'server/agents',
    'server/events',
    'server/db',
  ],
  'server/respawn': [
    'server/supervision',
    'server/sessions',
    'server/budgets',
    'server/attention',
    'server/worktrees',
    'server/usage',
    'server/agents',
    'server/terminals',
    'server/events',
    'server/db',
  ],
  'server/runs': [
    'server/supervision',
    'server/turns',
    'server/checks',
    'server/claims',
    'server/checkpoints',
    'server/projects',
    'server/worktrees',
    'server/budgets',
    'server/attention',
    'server/policy',
    'server/usage',
    'server/agents',
    'server/events',
    'server/db',
  ],
  'server/demo': ['server/auto', 'server/sessions', 'server/events', 'stand-in'],
  // edge
  'server/report': ['server/worktrees', 'server/attention', 'server/usage', 'server/events'],
  'server/preflight': ['server/sessions', 'server/agents', 'server/terminals'],
  'server/transport': [],
  'server/metrics': [],
  'server/control': ['server/events'],
  'server/ws': ['server/transport', 'server/sessions', 'server/people', 'server/events'],
  'server/gateway': [
    'server/api',
    'server/transport',
    'server/fleet',
    'server/people',
    'server/events',
  ],
  'server/api': [
    'server/transport',
    'server/fleet',
    'server/idempotency',
    'server/auto',
    'server/respawn',
    'server/runs',
    'server/demo',
    'server/tasks',
    'server/projects',
    'server/prompts',
    'server/sessions',
    'server/attention',
    'server/alerts',
    'server/push',
    'server/people',
    'server/budgets',
    'server/reserve',
    'server/questions',
    'server/usage',
    'server/report',
    'server/found',
    'server/continuing',
    'server/client-hooks',
    'server/modules',
    'server/agents',
    'server/events',
  ],
  // root
  'server/daemon': ['server/*'],
  'server/cli': [
    'server/daemon',
    'server/fleet',
    'server/report',
    'server/runs',
    'server/checkpoints',
    'server/control',
    'server/preflight',
    'server/modules',
    'server/agents',
    'server/terminals',
    'server/db',
  ],
  'server/main.ts': ['server/cli'],
};

/** Packages that only one folder may use, and those `shared` is limited to. */
const ONLY_PACKAGES: Record<string, readonly string[]> = { shared: ['zod'], client: [] };

function placeOf(file: string): string | undefined {
  return Object.keys(MAY_IMPORT).find((place) => file === place || file.startsWith(`${place}/`));
}

it('AR1 every source file belongs to a folder of the table', () => {
  expect(FILES.filter((file) => placeOf(file) === undefined)).toEqual([]);
});

it('AR1 AR9 a folder imports only what is below it', () => {
  const wrong = IMPORTS.filter(({ file, target }) => {
    const from = placeOf(file);
    const to = placeOf(target);
    if (from === undefined || to === undefined || from === to) return false;
    return !mayImport(from, to);
  });
  expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
});

it('AR1 every permission of the table is used', () => {
  const used = new Set(
    IMPORTS.map(({ file, target }) => `${placeOf(file) ?? ''} → ${placeOf(target) ?? ''}`),
  );
  const unused = Object.entries(MAY_IMPORT).flatMap(([from, allowed]) =>
    allowed
      .filter((to) => to !== 'server/*' && !used.has(`${from} → ${to}`))
      .map((to) => `${from} → ${to}`),
  );
  expect(unused).toEqual([]);
});

/** `shared` is below all, `server/lib` below the rest of the server. */
function mayImport(from: string, to: string): boolean {
  const allowed = MAY_IMPORT[from] ?? [];
  if (allowed.includes(to)) return true;
  if (allowed.includes('server/*') && to.startsWith('server/')) return true;
  if (to === 'shared') return from !== 'shared';
  return to === 'server/lib' && from.startsWith('server/');
}

it('AR13 no two files import each other, directly or through others', () => {
  const known = new Set(FILES);
  const links = IMPORTS.filter(({ target }) => known.has(target));
  expect(circles(links.map(({ file, target }) => [file, target]))).toEqual([]);
});

it('AR13 sibling subfolders import each other in one direction only', () => {
  const rooms = [
    'shared',
    'web/lib',
    ...readdirSync(join(ROOT, 'server')).map((n) => `server/${n}`),
  ];
  const found = rooms.flatMap((parent) => {
    const inside = (file: string) =>
      file.startsWith(`${parent}/`) ? file.slice(parent.length + 1).split('/') : [];
    const roomOf = (file: string) =>
      inside(file).length > 1 ? `${parent}/${inside(file)[0]}` : '';
    const links = IMPORTS.filter(({ typeOnly }) => !typeOnly)
      .map(({ file, target }): Link => [roomOf(file), roomOf(target)])
      .filter(([from, to]) => from !== '' && to !== '' && from !== to);
    return circles(links);
  });
  expect(found).toEqual([]);
});

it('AR14 the page has three tiers: shared parts, features and pages', () => {
  const wrong = IMPORTS.filter(
    ({ file, target, typeOnly }) => !typeOnly && tierOf(target) > tierOf(file),
  );
  expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
});

it('AR1 LI1 shared imports only zod, and the client library no package', () => {
  const wrong = IMPORTS.filter(({ file, target }) => {
    const allowed = ONLY_PACKAGES[placeOf(file) ?? ''];
    return allowed !== undefined && placeOf(target) === undefined && !allowed.includes(target);
  });
  expect(wrong).toEqual([]);
});

it('AR17 only tests import the code of tests', () => {
  expect(TOOL_IMPORTS.length).toBeGreaterThan(100);
  const wrong = [...IMPORTS, ...TOOL_IMPORTS].filter(({ target }) => target.startsWith('test/'));
  expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
});

type Link = readonly [from: string, to: string];

/** Every import cycle, as its members. */
function circles(links: readonly Link[]): string[][] {
  const targets = new Map<string, Set<string>>();
  for (const [from, to] of links) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const reach = (start: string) => {
    const seen = new Set<string>();
    const open = [...(targets.get(start) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(targets.get(next) ?? []));
    }
    return seen;
  };
  const reached = new Map([...targets.keys()].map((name) => [name, reach(name)]));
  const inCircle = [...reached].filter(([name, seen]) => seen.has(name)).map(([name]) => name);
  const sets = inCircle.map((name) =>
    inCircle
      .filter(
        (other) => reached.get(name)?.has(other) === true && reached.get(other)?.has(name) === true,
      )
      .sort()
      .join(' '),
  );
  return [...new Set(sets)].map((set) => set.split(' '));
}

/** 0 for what is not part of the page: every file may import it. */
function tierOf(file: string): number {
  if (!file.startsWith('web/')) return 0;
  const [, top, room = ''] = file.split('/');
  if (top !== 'lib' || room === 'views') return 3;
  return ['ui', 'client', 'state'].includes(room) ? 1 : 2;
}
