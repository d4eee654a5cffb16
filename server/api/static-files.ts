/**
 * The built dashboard, open to everyone: it holds no secret and shows nothing without a token. Its
 * policy lets the page load from and connect to this daemon only.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { hostBase } from '../fleet/host-path.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

const NOT_BUILT = `<!doctype html><title>Loopwatch</title>
<p>The dashboard is not built. Run <code>npm run build</code> and restart the daemon.</p>`;

const PREFIXED = `<!doctype html><title>Loopwatch</title>
<p>This proxy serves Loopwatch below a path, which it does not support. Give it its own host name
(see LOOPWATCH_HOSTS) and forward <code>/</code>.</p>`;

/** The service worker calls the daemon and shows icons. */
const WORKER = '/service-worker.js';
const WORKER_POLICY = "default-src 'none'; connect-src 'self'; img-src 'self'";

/** The exact style attribute of the router's own announcer for screen readers. */
const ANNOUNCER_STYLE =
  'position: absolute; left: 0; top: 0; clip: rect(0 0 0 0); clip-path: inset(50%); ' +
  'overflow: hidden; white-space: nowrap; width: 1px; height: 1px';

interface StaticFile {
  path: string;
  type: string;
  /** Names with a content hash never change. */
  immutable: boolean;
}

/** The answer to any GET that is not the API's. */
export function staticFiles(directory: string): (request: Request) => Response {
  // Listed once: no spelling of a path can reach a file that is not on the list.
  const files = existsSync(directory) ? listFiles(directory) : new Map<string, StaticFile>();
  const index = files.get('/index.html');
  const ownPage = index === undefined ? NOT_BUILT : readFileSync(index.path, 'utf8');
  return (request) => {
    const { pathname } = new URL(request.url);
    const page = pageAt(ownPage, hostBase(pathname));
    const pageHeaders = {
      'content-type': TYPES['.html'] ?? '',
      'cache-control': 'no-cache',
      'content-security-policy': contentPolicy(page),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
    };
    // The page would load and then request its parts where the proxy has none of ours.
    if (!/^\/?$/.test(request.headers.get('x-forwarded-prefix') ?? '')) {
      return new Response(PREFIXED, { status: 501, headers: pageHeaders });
    }
    const file = files.get(pathname);
    if (file === undefined || pathname === '/index.html') {
      const missing = extname(pathname) !== '' || index === undefined;
      return new Response(page, { status: missing ? 404 : 200, headers: pageHeaders });
    }
    const content = readFile(file.path);
    if (content === null) return new Response(page, { status: 404, headers: pageHeaders });
    return new Response(content, {
      headers: {
        'content-type': file.type,
        'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
        'x-content-type-options': 'nosniff',
        ...(pathname === WORKER ? { 'content-security-policy': WORKER_POLICY } : {}),
      },
    });
  };
}

/** The page for another host: its addresses and calls are below `base`, its parts are ours. */
function pageAt(page: string, base: string): string {
  return base === '' ? page : page.replace('base: ""', `base: "${base}", assets: ""`);
}

/** A page that was rebuilt under a running daemon has other files. */
function readFile(path: string): Buffer<ArrayBuffer> | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

function listFiles(directory: string): Map<string, StaticFile> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return new Map(
    names
      .map((name) => join(directory, name))
      .filter((path) => statSync(path).isFile())
      .map((path) => {
        const url = `/${relative(directory, path).split(sep).join('/')}`;
        const type = TYPES[extname(path)] ?? 'application/octet-stream';
        return [url, { path, type, immutable: url.includes('/immutable/') }];
      }),
  );
}

/** The page's own start script is inline; its hash allows it and no other. */
function contentPolicy(page: string): string {
  const scripts = [...page.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)];
  const hashes = scripts
    .map(([, text = '']) => text)
    .filter((text) => text.trim() !== '')
    .map(sourceHash);
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...hashes].join(' ')}`,
    "style-src 'self'",
    // Hashes hold for this one attribute value only.
    `style-src-attr 'unsafe-hashes' ${sourceHash(ANNOUNCER_STYLE)}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types svelte-trusted-html loopwatch-service-worker',
  ].join('; ');
}

function sourceHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
