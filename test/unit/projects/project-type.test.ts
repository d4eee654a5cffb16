/** How a project is tested, by the files at its root, which are not trusted. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { projectMarkers } from '../../../server/projects/project-markers.ts';
import { projectKinds, testCommand } from '../../../server/projects/project-type.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

let made: string[] = [];

afterEach(() => {
  for (const path of made) rmSync(path, { recursive: true });
  made = [];
});

/** A project of these files; a name that ends with a slash is a directory. */
function project(files: Record<string, string>): string {
  const path = mkdtempSync(join(TEST_ROOT, 'p'));
  made.push(path);
  for (const [name, text] of Object.entries(files)) {
    if (name.endsWith('/')) mkdirSync(join(path, name));
    else writeFileSync(join(path, name), text);
  }
  return path;
}

function commandOf(path: string): string | null {
  return testCommand(projectMarkers(path))?.join(' ') ?? null;
}

const node = (test: unknown) => JSON.stringify({ scripts: { test } });

it.each<[string | null, Record<string, string>]>([
  ['npm test', { 'package.json': node('vitest run') }],
  [null, { 'package.json': node('echo "Error: no test specified" && exit 1') }],
  [null, { 'package.json': node('  ') }],
  [null, { 'package.json': node(3) }],
  [null, { 'package.json': '{"name": "a"}' }],
  [null, { 'package.json': '{' }],
  [null, { 'package.json': 'null' }],
  ['make test', { 'package.json': '{}', Makefile: 'all:\n\ntest: all\n\tx\n' }],
  ['pytest', { 'pyproject.toml': '', 'tests/': '' }],
  ['pytest', { 'setup.py': '', 'test/': '' }],
  ['pytest', { 'requirements.txt': '', 'tests/': '' }],
  ['pytest', { 'pytest.ini': '', 'tests/': '' }],
  [null, { 'pyproject.toml': '' }],
  [null, { 'tests/': '' }],
  ['go test ./...', { 'go.mod': '' }],
  ['cargo test', { 'Cargo.toml': '' }],
  ['mvn -B test', { 'pom.xml': '' }],
  ['gradle test', { 'build.gradle.kts': '' }],
  ['gradle test', { 'build.gradle': '', gradlew: '' }],
  ['make test', { Makefile: 'test :\n' }],
  [null, { Makefile: 'test := a\nbuild-test:\n\ttest: x\n' }],
  [null, { 'CMakeLists.txt': '' }],
  ['npm test', { 'package.json': node('a'), 'go.mod': '', 'Cargo.toml': '' }],
  [null, { 'inner/': '' }],
])('HT1 %j tests %j', (command, files) => {
  expect(commandOf(project(files))).toBe(command);
});

it('HT1 wrappers that can be run are used, and each kind is named', () => {
  const path = project({ 'build.gradle': '', gradlew: '', mvnw: '', 'pom.xml': '', Makefile: '' });
  for (const name of ['gradlew', 'mvnw']) chmodSync(join(path, name), 0o755);
  expect(commandOf(path)).toBe('./mvnw -B test');
  rmSync(join(path, 'pom.xml'));
  expect(commandOf(path)).toBe('./gradlew test');
  expect(projectKinds(projectMarkers(path))).toEqual(['gradle', 'make']);
});

it('HT2 anything but a plain file counts as missing, and blocks nothing', () => {
  const real = project({ 'package.json': node('a') });
  const path = project({ 'pom.xml/': '', 'package.json': ' '.repeat(2 * 1024 * 1024) });
  symlinkSync(join(real, 'package.json'), join(path, 'go.mod'));
  symlinkSync(real, join(path, 'tests'));
  execFileSync('mkfifo', [join(path, 'Makefile'), join(path, 'pytest.ini')]);
  expect(commandOf(path)).toBeNull();
  expect(projectMarkers(path)).toMatchObject({ files: ['package.json'], tests: [] });
  expect(projectMarkers(join(path, 'gone')).files).toEqual([]);
});
