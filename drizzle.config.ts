import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: [
    './server/db/schema.ts',
    './server/db/alert-schema.ts',
    './server/db/task-schema.ts',
    './server/db/usage-schema.ts',
    './server/db/run-schema.ts',
  ],
  out: './server/db/migrations',
});
