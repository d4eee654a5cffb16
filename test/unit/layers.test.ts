/** The layers as data. When this fails, the import named is wrong, or the table has to be argued. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../server/lib/package-root.ts';

const ROOT = packageRoot();

/** What each place may import besides itself, `shared`, `server/lib` and packages; each is used. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  shared: [],
  web: [],
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
  'server/worktrees': ['server/events', 'server/db'],
  'server/projects': ['server/events', 'server/db'],
  'server/prompts': ['server/events', 'server/db'],
  // floor
  'server/supervision': [
    'server/sessions',
    'server/attention',
    'server/policy',
    'server/agents',
    'server/terminals',
    'server/events',
  ],
  'server/turns': ['server/agents', 'server/events', 'server/db'],
  'server/checks': ['server/agents'],
  // supervisors
  'server/auto': [
    'server/supervision',
    'server/sessions',
    'server/attention',
    'server/agents',
    'server/events',
    'server/db',
  ],
  'server/tasks': [
    'server/supervision',
    'server/turns',
    'server/checks',
    'server/projects',
    'server/worktrees',
    'server/attention',
    'server/policy',
    'server/agents',
    'server/events',
    'server/db',
  ],
  'server/demo': ['server/auto', 'server/sessions', 'server/events', 'stand-in'],
  // edge
  'server/preflight': ['server/agents'],
  'server/transport': [],
  'server/metrics': [],
  'server/ws': ['server/transport', 'server/sessions', 'server/people', 'server/events'],
  'server/api': [
    'server/transport',
    'server/auto',
    'server/demo',
    'server/tasks',
    'server/projects',
    'server/prompts',
    'server/sessions',
    'server/attention',
    'server/alerts',
    'server/people',
    'server/agents',
    'server/events',
  ],
  // root
  'server/daemon': ['server/*'],
  'server/cli': [
    'server/daemon',
    'server/preflight',
    'server/agents',
    'server/terminals',
    'server/db',
  ],
  'server/main.ts': ['server/cli'],
};

/** Packages that one place alone may use, and those `shared` is held to. */
const ONLY_PACKAGES: Record<string, readonly string[]> = { shared: ['zod'] };

/** What all machines share; imports nothing at run time. */
const PURE = ['server/supervision/evidence-of.ts'];

/** Each table is written by one file. */
const TABLE_WRITERS: Record<string, string> = {
  meta: 'server/db/meta-store.ts',
  events: 'server/events/event-statements.ts',
  sessions: 'server/sessions/session-store.ts',
  people: 'server/people/person-store.ts',
  inputs: 'server/sessions/typing/input-store.ts',
  screens: 'server/sessions/showing/screen-store.ts',
  attention: 'server/attention/attention-store.ts',
  alertRules: 'server/alerts/alert-rule-store.ts',
  alertDeliveries: 'server/alerts/alert-delivery-store.ts',
  taskAuto: 'server/auto/auto-store.ts',
  projectSessions: 'server/projects/project-store.ts',
  tasks: 'server/tasks/stores/task-store.ts',
  interactions: 'server/turns/interaction-store.ts',
  taskInputs: 'server/tasks/stores/task-input-store.ts',
  testCases: 'server/tasks/stores/test-case-store.ts',
  prompts: 'server/prompts/prompt-store.ts',
  worktrees: 'server/worktrees/worktree-store.ts',
};

interface Import {
  file: string;
  target: string;
  typeOnly: boolean;
}

const FILES = ['server', 'shared', 'web', 'stand-in'].flatMap((top) =>
  readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|svelte)$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => join(top, name)),
);

const IMPORTS: Import[] = FILES.flatMap((file) => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const found = text.matchAll(
    /(?:import|export)\s+(type\s)?[^'";]*?from\s*'([^']+)'|import\s*\(?'([^']+)'/g,
  );
  return [...found].map(([, type, from, bare]) => ({
    file,
    target: targetOf(file, from ?? bare ?? ''),
    typeOnly: type !== undefined,
  }));
});

function targetOf(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return relative(ROOT, resolve(ROOT, dirname(file), specifier));
  if (specifier.startsWith('$shared/')) return specifier.replace('$shared', 'shared');
  if (specifier.startsWith('$lib')) return specifier.replace('$lib', 'web/lib');
  return specifier;
}

function placeOf(file: string): string | undefined {
  return Object.keys(MAY_IMPORT).find((place) => file === place || file.startsWith(`${place}/`));
}

it('AR1 every source file has a place in the table', () => {
  expect(FILES.filter((file) => placeOf(file) === undefined)).toEqual([]);
});

it('AR1 a place imports only what lies below it', () => {
  const wrong = IMPORTS.filter(({ file, target }) => {
    const from = placeOf(file);
    const to = placeOf(target);
    if (from === undefined || to === undefined || from === to) return false;
    return !mayImport(from, to);
  });
  expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
});

it('AR1 every permission is used, so that the table is the house', () => {
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

it('AR1 shared imports only zod', () => {
  const wrong = IMPORTS.filter(({ file, target }) => {
    const allowed = ONLY_PACKAGES[placeOf(file) ?? ''];
    return allowed !== undefined && placeOf(target) === undefined && !allowed.includes(target);
  });
  expect(wrong).toEqual([]);
});

it('AR2 the rules of a machine import nothing at run time but each other', () => {
  const ofMachine = IMPORTS.filter(({ file }) => dirname(file).endsWith('/machine'));
  expect(ofMachine.length).toBeGreaterThan(0);
  // In the same folder, types, or what is as pure.
  const foreign = ofMachine.filter(
    ({ file, target, typeOnly }) =>
      !typeOnly && dirname(target) !== dirname(file) && !PURE.includes(target),
  );
  expect(foreign).toEqual([]);
});

it('AR3 each table is imported by its one writer alone', () => {
  const wrong = FILES.filter((file) => file.endsWith('.ts')).flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const names = /import \{([^}]*)\} from '[^']*db\/(?:task-)?schema\.ts'/.exec(text)?.[1] ?? '';
    return names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && TABLE_WRITERS[name] !== file)
      .map((name) => `${file} imports ${name}`);
  });
  expect(wrong).toEqual([]);
});

it('AR8 the objects of the native engine have one holder each', () => {
  const NATIVE = {
    UwsResponse: 'server/transport/uws/live-response.ts',
    UwsSocket: 'server/transport/uws/uws-peer.ts',
  };
  const wrong = FILES.filter((file) => file !== 'server/transport/uws/engine.ts').flatMap(
    (file) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      return Object.entries(NATIVE)
        .filter(([type, holder]) => file !== holder && new RegExp(`\\b${type}\\b`).test(text))
        .map(([type]) => `${file} names ${type}`);
    },
  );
  expect(wrong).toEqual([]);
});

it('AR4 only one file reads the environment for settings', () => {
  const readers = FILES.filter((file) => file.startsWith('server/')).filter((file) =>
    readFileSync(join(ROOT, file), 'utf8').includes('process.env'),
  );
  // The daemon passes it on to terminals, the doctor looks as one, the watch to the command it runs.
  expect(readers.sort()).toEqual([
    'server/cli/commands/doctor.ts',
    'server/cli/commands/watch-command.ts',
    'server/daemon/daemon.ts',
    'server/lib/config.ts',
  ]);
});
