import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

/**
 * What the first page needs at once is one file, and what three other pages or more share is another:
 * over a slow line a first visit waits for each of 130 small ones. What is loaded on demand stays apart
 * (decision 76).
 */
const SHARED_FILES = {
  output: {
    codeSplitting: {
      groups: [
        {
          name: 'first',
          tags: ['$initial' as const],
          test: /web\/routes\/\+(layout|page)\.svelte$|vite\/preload-helper/,
          priority: 2,
        },
        { name: 'shared', tags: ['$initial' as const], minShareCount: 3, priority: 1 },
      ],
    },
  },
};

export default defineConfig({
  plugins: [sveltekit()],
  build: { target: 'es2022' },
  environments: { client: { build: { rolldownOptions: SHARED_FILES } } },
});
