/** The files at the root of a project that identify it. Written by others: read with care. */
import { lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { readHostileFile } from '../lib/hostile-file.ts';

const FILES = [
  'package.json',
  'pyproject.toml',
  'setup.py',
  'requirements.txt',
  'pytest.ini',
  'go.mod',
  'Cargo.toml',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'Makefile',
  'makefile',
  'CMakeLists.txt',
  'jest.config.js',
  'jest.config.ts',
  'vitest.config.js',
  'vitest.config.ts',
  'tox.ini',
  'tsconfig.json',
] as const;
const DIRECTORIES = ['test', 'tests', '__tests__', 'spec'] as const;
const PROGRAMS = ['gradlew', 'mvnw'] as const;
const MAX_BYTES = 1024 * 1024;
/** What `npm init` writes for a project without tests. */
const NO_TEST = /\bno test specified\b/i;
const TEST_TARGET = /^test[ \t]*:(?!=)/m;

export interface ProjectMarkers {
  /** Regular files by name, none of them a link. */
  files: string[];
  /** Directories in which tests usually are. */
  tests: string[];
  /** Executable wrappers. */
  programs: string[];
  /** package.json has a script that tests. */
  has_test_script: boolean;
  /** The Makefile has a target `test`. */
  has_test_target: boolean;
}

/** Reads the root only. Never throws. */
export function projectMarkers(directory: string): ProjectMarkers {
  const files = FILES.filter((name) => modeOf(join(directory, name))?.isFile() === true);
  const make = files.find((name) => name.toLowerCase() === 'makefile');
  return {
    files: [...files],
    tests: DIRECTORIES.filter((name) => modeOf(join(directory, name))?.isDirectory() === true),
    programs: PROGRAMS.filter((name) => isProgram(join(directory, name))),
    has_test_script: files.includes('package.json') && hasTestScript(directory),
    has_test_target: make !== undefined && TEST_TARGET.test(textOf(join(directory, make))),
  };
}

function hasTestScript(directory: string): boolean {
  try {
    const parsed = JSON.parse(textOf(join(directory, 'package.json'))) as {
      scripts?: { test?: unknown };
    } | null;
    const script = parsed?.scripts?.test;
    return typeof script === 'string' && script.trim() !== '' && !NO_TEST.test(script);
  } catch {
    return false;
  }
}

function isProgram(path: string): boolean {
  const found = modeOf(path);
  return found?.isFile() === true && (found.mode & 0o100) !== 0;
}

/** '' for a file that cannot be read, or should not be. */
function textOf(path: string): string {
  const file = readHostileFile(path, MAX_BYTES);
  return file.kind === 'text' ? file.text : '';
}

function modeOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}
