/** The commands with which a project tests, checks and builds itself, from the files at its root. Pure. */
import type { ProjectMarkers } from './project-markers.ts';
import { type ProjectKind, projectKinds, testCommands } from './project-type.ts';

/**
 * What a script or target may be called, up to its first colon. Others may publish, deploy or start
 * something that stays.
 */
const USUAL_NAMES = [
  'build',
  'check',
  'compile',
  'coverage',
  'fix',
  'fmt',
  'format',
  'lint',
  'test',
  'tests',
  'typecheck',
];
/** Inert in a shell, and in a rule of a client: package.json and Makefile hold any text. */
const PLAIN_NAME = /^[A-Za-z0-9_-]+(?::[A-Za-z0-9_-]+)*$/;

/** Besides the test command. None of them publishes or installs. */
const MORE: Partial<Record<ProjectKind, readonly string[]>> = {
  go: ['go test', 'go build', 'go vet'],
  rust: ['cargo build', 'cargo check', 'cargo clippy', 'cargo fmt'],
};

/** Each may be followed by arguments. */
export function ownCommands(markers: ProjectMarkers): string[] {
  const kinds = projectKinds(markers);
  const tests = testCommands(markers).flatMap((words) => {
    const command = words.join(' ');
    return command === 'pytest' ? [command, 'python -m pytest', 'python3 -m pytest'] : [command];
  });
  const scripts = usual(markers.scripts).map((name) => `npm run ${name}`);
  const targets = usual(markers.targets).map((name) => `make ${name}`);
  const more = kinds.flatMap((kind) => MORE[kind] ?? []);
  return [...new Set([...tests, ...scripts, ...targets, ...more])];
}

function usual(names: readonly string[]): string[] {
  return names.filter(
    (name) => PLAIN_NAME.test(name) && USUAL_NAMES.includes(name.split(':', 1)[0] ?? ''),
  );
}
