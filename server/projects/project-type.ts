/** The kind of a project and its test command, from the files at its root. Pure. */
import type { ProjectMarkers } from './project-markers.ts';

export type ProjectKind = 'node' | 'python' | 'go' | 'rust' | 'maven' | 'gradle' | 'cmake' | 'make';

interface Sign {
  kind: ProjectKind;
  files: readonly string[];
  /** The test command, or null when nothing shows that there are tests. */
  test: (markers: ProjectMarkers) => string[] | null;
}

const SIGNS: readonly Sign[] = [
  {
    kind: 'node',
    files: ['package.json'],
    test: ({ has_test_script }) => (has_test_script ? ['npm', 'test'] : null),
  },
  {
    kind: 'python',
    files: ['pyproject.toml', 'setup.py', 'requirements.txt', 'pytest.ini'],
    test: ({ tests }) =>
      tests.some((name) => name === 'test' || name === 'tests') ? ['pytest'] : null,
  },
  { kind: 'go', files: ['go.mod'], test: () => ['go', 'test', './...'] },
  { kind: 'rust', files: ['Cargo.toml'], test: () => ['cargo', 'test'] },
  {
    kind: 'maven',
    files: ['pom.xml'],
    test: ({ programs }) => [programs.includes('mvnw') ? './mvnw' : 'mvn', '-B', 'test'],
  },
  {
    kind: 'gradle',
    files: ['build.gradle', 'build.gradle.kts'],
    test: ({ programs }) => [programs.includes('gradlew') ? './gradlew' : 'gradle', 'test'],
  },
  { kind: 'cmake', files: ['CMakeLists.txt'], test: () => null },
  {
    kind: 'make',
    files: ['Makefile', 'makefile'],
    test: ({ has_test_target }) => (has_test_target ? ['make', 'test'] : null),
  },
];

/** Likeliest first. */
export function projectKinds(markers: ProjectMarkers): ProjectKind[] {
  return signsOf(markers).map(({ kind }) => kind);
}

/** A program with its arguments, or null. */
export function testCommand(markers: ProjectMarkers): string[] | null {
  return testCommands(markers)[0] ?? null;
}

/** One for each kind of project that has tests; the likeliest first. */
export function testCommands(markers: ProjectMarkers): string[][] {
  return signsOf(markers).flatMap(({ test }) => {
    const command = test(markers);
    return command === null ? [] : [command];
  });
}

/** pytest exits with this code when it collects no tests. */
const NO_TESTS = 5;

/** Whether a test command ended because there is nothing to test. */
export function hasNoTests(command: readonly string[] | string, exitCode: number | null): boolean {
  return exitCode === NO_TESTS && command[0] === 'pytest';
}

function signsOf({ files }: ProjectMarkers): Sign[] {
  return SIGNS.filter((sign) => sign.files.some((name) => files.includes(name)));
}
