import adapter from '@sveltejs/adapter-static';
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

/** @type {import('@sveltejs/kit').Config} */
export default {
  preprocess: vitePreprocess(),
  kit: {
    adapter: adapter({ pages: 'dist/web', assets: 'dist/web', fallback: 'index.html' }),
    files: { src: 'web', assets: 'web/static' },
    alias: { $shared: 'shared' },
    // The daemon answers for freshness itself; a page never polls for a new version.
    version: { pollInterval: 0 },
  },
};
