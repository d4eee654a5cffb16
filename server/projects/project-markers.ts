/** The files at the root of a project that identify it. Written by others: read with care. */
import { lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { readHostileFile } from '../lib/files/hostile-file.ts';

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
const TARGET = /^([A-Za-z0-9_-]+)[ \t]*:(?!=)/gm;
/** A project has some dozens. */
const MAX_NAMES = 500;

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
  /** Names of the scripts of package.json and of the targets of the Makefile, any text. */
  scripts: string[];
  targets: string[];
}

/** Reads the root only. Never throws. */
export function projectMarkers(directory: string): ProjectMarkers {
  const files = FILES.filter((name) => modeOf(join(directory, name))?.isFile() === true);
  const make = files.find((name) => name.toLowerCase() === 'makefile');
  const scripts = files.includes('package.json') ? scriptsOf(directory) : {};
  const targets = make === undefined ? [] : targetsOf(join(directory, make));
  return {
    files: [...files],
    tests: DIRECTORIES.filter((name) => modeOf(join(directory, name))?.isDirectory() === true),
    programs: PROGRAMS.filter((name) => isProgram(join(directory, name))),
    has_test_script: isTest(scripts['test']),
    has_test_target: targets.includes('test'),
    scripts: Object.keys(scripts).slice(0, MAX_NAMES),
    targets: targets.slice(0, MAX_NAMES),
  };
}

function scriptsOf(directory: string): Record<string, unknown> {
  try {
    const parsed = JSON.parse(textOf(join(directory, 'package.json'))) as {
      scripts?: unknown;
    } | null;
    const scripts = parsed?.scripts;
    return typeof scripts === 'object' ? { ...scripts } : {};
  } catch {
    return {};
  }
}

function isTest(script: unknown): boolean {
  return typeof script === 'string' && script.trim() !== '' && !NO_TEST.test(script);
}

function targetsOf(makefile: string): string[] {
  return [...textOf(makefile).matchAll(TARGET)].map(([, name = '']) => name);
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
