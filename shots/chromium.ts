import { existsSync } from 'node:fs';

const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/** The browser of tests, screenshots and bench: `CHROMIUM`, or what Debian installs, the headless one first. */
export const CHROMIUM =
  process.env['CHROMIUM'] ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : '/usr/bin/chromium');
