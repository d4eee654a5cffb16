import { readFileSync } from 'node:fs';
import adapter from '@sveltejs/adapter-static';
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'));

/** @type {import('@sveltejs/kit').Config} */
export default {
  preprocess: vitePreprocess(),
  kit: {
    adapter: adapter({ pages: 'dist/web', assets: 'dist/web', fallback: 'index.html' }),
    files: { src: 'web', assets: 'web/static' },
    // By the person who turns on notifications; see web/lib/push.
    serviceWorker: { register: false },
    alias: { $shared: 'shared' },
    // The page compares this with what the daemon says; it never polls for a new version.
    version: { name: version, pollInterval: 0 },
  },
};
