/** The layers as data. When this fails, the import named is wrong, or the table has to be argued. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../server/lib/package-root.ts';

const ROOT = packageRoot();

/** What each place may import besides itself and packages. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  shared: [],
  web: ['shared'],
  'server/lib': ['shared'],
  'server/db': ['server/lib', 'shared'],
  'server/events': ['server/db', 'server/lib', 'shared'],
  'server/terminals': ['server/lib', 'shared'],
  'server/agents': ['server/terminals', 'server/lib', 'shared'],
  'server/people': below('server/agents', 'server/terminals', 'server/events', 'server/db'),
  'server/sessions': below('server/agents', 'server/terminals', 'server/events', 'server/db'),
  'server/attention': below('server/agents', 'server/events', 'server/db'),
  'server/policy': below('server/agents', 'server/terminals'),
  'server/alerts': below('server/events', 'server/db'),
  'server/supervision': below(
    'server/sessions',
    'server/attention',
    'server/policy',
    'server/agents',
    'server/terminals',
    'server/events',
  ),
  'server/auto': below(
    'server/supervision',
    'server/sessions',
    'server/attention',
    'server/policy',
    'server/agents',
    'server/events',
    'server/db',
  ),
  'server/worktrees': below('server/events', 'server/db'),
  'server/tasks': below(
    ...[
      'server/supervision',
      'server/worktrees',
      'server/attention',
      'server/policy',
      'server/agents',
    ],
    ...['server/events', 'server/db'],
  ),
  'stand-in': ['shared'],
  'server/demo': below('server/auto', 'server/sessions', 'server/events', 'stand-in'),
  'server/preflight': below('server/agents', 'server/terminals'),
  'server/transport': ['server/lib', 'shared'],
  'server/metrics': ['server/lib', 'shared'],
  'server/ws': edge('server/transport'),
  'server/api': edge('server/transport', 'server/alerts'),
  'server/daemon': ['server/*', 'shared'],
  'server/cli': [
    ...['server/daemon', 'server/preflight', 'server/agents', 'server/terminals'],
    ...['server/db', 'server/lib', 'shared'],
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
  inputs: 'server/sessions/input-store.ts',
  screens: 'server/sessions/screen-store.ts',
  attention: 'server/attention/attention-store.ts',
  alertRules: 'server/alerts/alert-rule-store.ts',
  alertDeliveries: 'server/alerts/alert-delivery-store.ts',
  taskAuto: 'server/auto/auto-store.ts',
  projectSessions: 'server/tasks/stores/project-session-store.ts',
  tasks: 'server/tasks/stores/task-store.ts',
  interactions: 'server/tasks/stores/interaction-store.ts',
  taskInputs: 'server/tasks/stores/task-input-store.ts',
  testCases: 'server/tasks/stores/test-case-store.ts',
  prompts: 'server/tasks/stores/prompt-store.ts',
  worktrees: 'server/worktrees/worktree-store.ts',
};

function below(...places: string[]): string[] {
  return [...places, 'server/lib', 'shared'];
}

function edge(...more: string[]): string[] {
  return below(
    ...[
      'server/auto',
      'server/demo',
      'server/tasks',
      'server/sessions',
      'server/attention',
      'server/policy',
    ],
    ...['server/people', 'server/worktrees', 'server/agents', 'server/events', ...more],
  );
}

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
    const allowed = MAY_IMPORT[from] ?? [];
    return !allowed.includes(to) && !(allowed.includes('server/*') && to.startsWith('server/'));
  });
  expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
});

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
    'server/cli/check-machine.ts',
    'server/cli/watch-command.ts',
    'server/daemon/daemon.ts',
    'server/lib/config.ts',
  ]);
});
