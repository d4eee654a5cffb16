import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { unrunnableTests } from './test/support/missing-programs.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  // As the page names them, for tests of its pure parts.
  resolve: { alias: { $shared: folder('./shared'), $lib: folder('./web/lib') } },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: unrunnableTests('test'),
    // Real daemons, terminals and browsers on two cores: a generous limit, reached only by a hang.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 3,
    setupFiles: ['test/support/leaks.ts'],
    globalSetup: ['test/support/build.ts'],
  },
});
