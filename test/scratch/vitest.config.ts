import { defineConfig } from 'vitest/config';
export default defineConfig({ root: '/tmp/h-stress', test: { include: ['test/**/*.test.ts'], testTimeout: 120000, setupFiles: ['test/support/leaks.ts'] } });
