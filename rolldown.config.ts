import { defineConfig } from 'rolldown';

/** What users run. */
const PRODUCT = [
  'server/main',
  'stand-in/main',
  'server/agents/hooks/hook-relay',
  'server/db/event-check',
];

/** What measures, shows and tests it. */
const TOOLS = [
  'bench/main',
  'bench/contenders/contender-process',
  'bench/fleet/hosts-process',
  'bench/load/generator-process',
  'bench/signals/usual-stack-process',
  'shots/main',
  'shots/film/main',
  'reference/main',
  'test/stress/main',
  'test/stress/edge-process',
  'test/stress/soak/main',
  'test/stress/soak/memory-probe',
  'trials/main',
  'test/drills/night/daemon-process',
  'test/support/house/exec-process',
];

/** Every program that runs as a process of its own; its place in `dist` is that of its source. */
export const PROGRAMS = [...PRODUCT, ...TOOLS];

/** What scripts import; `exports` of package.json names each. */
export const LIBRARIES = ['server/checkpoints/library', 'server/control/control-client'];

/** Stay in node_modules: native parts, what has files of its own, and what the bench compares with, as it came. */
const EXTERNAL = [
  '@lydell/node-pty',
  'playwright-core',
  'uWebSockets.js',
  'prettier',
  'socket.io',
  'chokidar',
];

/**
 * One file for a program and one for what it imports on demand: a start loads few files, not 600. Tools
 * are built separately: code that programs share gets a file of its own, and theirs would add 24.
 */
function programs(paths: readonly string[], chunks: string) {
  return defineConfig({
    input: Object.fromEntries(paths.map((path) => [path, `${path}.ts`])),
    platform: 'node',
    external: EXTERNAL,
    transform: { target: 'node20' },
    // Names and lines stay as they are: a stack says the function, and its line in `dist`.
    output: { dir: 'dist', chunkFileNames: `${chunks}/[name].js`, minify: false },
  });
}

/** `loopwatch/client`, for browsers too: one file that shares none with the programs. */
const client = defineConfig({
  input: 'client/client.ts',
  platform: 'browser',
  transform: { target: 'es2022' },
  output: { file: 'dist/client/client.js', minify: false },
});

export default [
  programs([...PRODUCT, ...LIBRARIES], 'server/chunks'),
  programs(TOOLS, 'bench/chunks'),
  client,
];
