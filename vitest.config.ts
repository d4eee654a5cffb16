import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { LeftOutReporter } from './test/support/house/left-out-reporter.ts';
import { unrunnableTests } from './test/support/house/missing-programs.ts';
import { sized } from './test/support/house/random.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const unrunnable = unrunnableTests('test');
/** Where `.ci/run` wants the figures of a run. */
const report = process.env['LOOPWATCH_TEST_REPORT'];
const json: [string, Record<string, unknown>][] =
  report === undefined ? [] : [['json', { outputFile: report }]];
const MINUTE_MS = 60_000;
/** Reached only by a hang, and later than `until` gives up: what that says comes first. */
const HANG_MS = sized({ short: 15, middle: 20, long: 24 * 60 }) * MINUTE_MS;

/** Replaces `execFile` in the workers, except for its own tests. */
const runElsewhere: Plugin = {
  name: 'run-elsewhere',
  enforce: 'pre',
  resolveId(source, importer = '') {
    if (!source.endsWith('/exec-file.ts') || importer.endsWith('/exec-file.test.ts')) return null;
    return folder('./test/support/house/exec-elsewhere.ts');
  },
};

export default defineConfig({
  plugins: [runElsewhere],
  // As the page names them, for tests of its pure parts.
  resolve: { alias: { $shared: folder('./shared'), $lib: folder('./web/lib') } },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: unrunnable.map(({ file }) => file),
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
    expect: { poll: { timeout: 3 * MINUTE_MS, interval: 50 } },
    // Files share a process and what it has loaded: nothing of ours keeps state in a module.
    isolate: false,
    // Most tests wait for other processes, which need the processors more than the tests do.
    maxWorkers: 4,
    setupFiles: ['test/support/house/leaks.ts', 'test/support/house/drill-time.ts'],
    globalSetup: ['test/support/house/build.ts'],
    reporters: ['default', new LeftOutReporter(unrunnable), ...json],
  },
});
