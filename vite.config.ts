import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

/**
 * What three pages or more load at once is one file: over a slow line a first visit waits for each
 * of 130 small ones. What is loaded on demand stays apart (decision 76).
 */
const ONE_SHARED_FILE = {
  output: {
    codeSplitting: {
      groups: [{ name: 'shared', tags: ['$initial' as const], minShareCount: 3 }],
    },
  },
};

export default defineConfig(({ isSsrBuild = false }) => ({
  plugins: [sveltekit()],
  build: { target: 'es2022', rolldownOptions: isSsrBuild ? {} : ONE_SHARED_FILE },
}));
