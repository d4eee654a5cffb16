import { defineConfig } from 'vitest/config';
import { unrunnableTests } from './test/support/missing-programs.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: unrunnableTests('test'),
    // Real daemons, terminals and browsers on two cores: a generous limit, reached only by a hang.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    setupFiles: ['test/support/leaks.ts'],
    globalSetup: ['test/support/build.ts'],
  },
});
