/** Projects: one for each directory below the roots, and the directories to choose from. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ProjectSession } from '../../../shared/schema/tasks/project.ts';
import { projectRoutes } from '../../../server/api/routes/work/project-routes.ts';
import { Directories } from '../../../server/projects/directories.ts';
import { AppError } from '../../../server/lib/app-error.ts';
import { Projects } from '../../../server/projects/projects.ts';
import { ProjectStore } from '../../../server/projects/project-store.ts';
import { EventHome } from '../../support/events/event-home.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

let home: EventHome;
let root: string;
let roots: string[];
let sessions: Projects;

beforeEach(() => {
  home = new EventHome();
  root = realpathSync(mkdtempSync(join(TEST_ROOT, 'r')));
  for (const path of ['a/inner', 'a/.hidden', 'b', 'outside']) {
    mkdirSync(join(root, path), { recursive: true });
  }
  writeFileSync(join(root, 'a/file'), '');
  symlinkSync(join(root, 'a'), join(root, 'b/link'));
  symlinkSync(join(root, 'outside'), join(root, 'a/out'));
  roots = [join(root, 'a'), join(root, 'b')];
  reopen();
});

afterEach(() => {
  home[Symbol.dispose]();
  rmSync(root, { recursive: true });
});

function reopen(): void {
  const { database, log } = home.open();
  const store = new ProjectStore(database);
  sessions = new Projects({ log, clock: home.clock, store, roots });
}

function codeOf(act: () => unknown): string {
  try {
    act();
    return 'fine';
  } catch (error) {
    return error instanceof AppError ? `${error.status} ${error.code}` : String(error);
  }
}

it('PM4 a directory is one project, under every name and after a restart', () => {
  const made = sessions.open(join(root, 'a'));
  expect(made).toMatchObject({ project_path: join(root, 'a'), created_at: made.updated_at });
  home.clock.advance(1_000);
  expect(sessions.open(join(root, 'b/link'))).toEqual(made);
  expect(sessions.open(`${root}//a/./inner/../`)).toEqual(made);
  reopen();
  expect(sessions.open(join(root, 'a'))).toEqual(made);
  expect(sessions.get(made.id)).toEqual(made);
  expect(sessions.open(join(root, 'a/inner')).id).not.toBe(made.id);
});

it('PM4 a directory that is outside, missing or unknown is refused, and nothing is created', () => {
  expect(codeOf(() => sessions.open(join(root, 'outside')))).toBe('400 outside_roots');
  expect(codeOf(() => sessions.open(join(root, 'a/out')))).toBe('400 outside_roots');
  expect(codeOf(() => sessions.open(join(root, 'nothing')))).toBe('400 outside_roots');
  expect(codeOf(() => sessions.open(join(root, 'a/../outside/x')))).toBe('400 outside_roots');
  expect(codeOf(() => sessions.open(join(root, 'a/nothing')))).toBe('400 project_missing');
  expect(codeOf(() => sessions.open(join(root, 'a/file')))).toBe('400 project_missing');
  const unknown = '00000000-0000-4000-8000-000000000000';
  expect(codeOf(() => sessions.get(unknown))).toBe('404 project_session_unknown');
});

/** The routes on these roots; calls one of them as the API does. */
function ask(name: 'browseDirectories' | 'listProjectTasks' | 'listGitBranches', call: object) {
  const routes = projectRoutes({
    directories: new Directories({
      roots,
      inUse: () => ({ sessions: [], loops: [] }),
      isStartable: () => true,
    }),
    sessions,
    branches: (path, type) => Promise.resolve({ current_branch: type, branches: [path] }),
    tasksOf: (id) => {
      expect(id).toBe(sessions.get(id).id);
      return [];
    },
  });
  return (routes[name] as (call: object) => Promise<{ status: number; body: unknown }>)(call);
}

async function browse(path?: string): Promise<unknown> {
  try {
    return (await ask('browseDirectories', { query: { path } })).body;
  } catch (error) {
    return error instanceof AppError ? `${error.status} ${error.code}` : error;
  }
}

it('PM5 directories are listed without hidden ones, in the first root when none is named', async () => {
  const listing = {
    current_path: join(root, 'a'),
    parent_path: null,
    directories: [
      { name: 'inner', path: join(root, 'a/inner'), accessible: true },
      { name: 'out', path: join(root, 'a/out'), accessible: false },
    ],
  };
  expect(await browse()).toEqual(listing);
  expect(await browse(join(root, 'b/link'))).toEqual(listing);
  expect(await browse(join(root, 'a/inner'))).toEqual({
    current_path: join(root, 'a/inner'),
    parent_path: join(root, 'a'),
    directories: [],
  });
});

it('PM5 outside and missing directories have different errors', async () => {
  expect(await browse('/')).toBe('400 outside_roots');
  expect(await browse(join(root, 'outside'))).toBe('400 outside_roots');
  expect(await browse(join(root, 'a/nothing'))).toBe('400 project_missing');
  expect(await browse(join(root, 'a/file'))).toBe('400 project_missing');
  roots = [join(root, 'gone')];
  expect(await browse()).toBe('400 project_missing');
});

it('PM4 tasks are found by an existing project, branches by path and kind', async () => {
  const session: ProjectSession = sessions.open(roots[0] ?? '');
  expect(await ask('listProjectTasks', { params: { id: session.id } })).toEqual({
    status: 200,
    body: [],
  });
  expect(codeOf(() => void ask('listProjectTasks', { params: { id: 'x' } }))).toBe(
    '404 project_session_unknown',
  );
  const query = { path: '/p', branch_type: 'local' };
  expect((await ask('listGitBranches', { query })).body).toEqual({
    current_branch: 'local',
    branches: ['/p'],
  });
});
