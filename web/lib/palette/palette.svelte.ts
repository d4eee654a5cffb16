/** The entries of the palette: what the page knows at once, and lists read when it opens. */
import { goto } from '$app/navigation';
import { resolve } from '$app/paths';
import { page } from '$app/state';
import { hostStyle } from '$lib/hosts/host-text.ts';
import { logOut } from '$lib/push/log-out.ts';
import type { Hosts } from '$lib/hosts/hosts.svelte.ts';
import type { Account } from '$lib/state/account.svelte.ts';
import { samePageOn } from '$lib/state/host-path.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { pathOnHost, storageKey } from '$lib/state/page-host.ts';
import type { StartRequest } from '$lib/state/start-request.svelte.ts';
import { theme, THEMES } from '$lib/state/theme.svelte.ts';
import type { PaletteEntry } from './palette-entries.ts';

/** For each kind; the pages of the lists have the rest. */
const LISTED = '1000';
const MOST_RECENT = 8;
const RECENT = storageKey('loopwatch.palette.recent');

export interface PaletteSources {
  feed: Feed;
  account: Account;
  hosts: Hosts;
  startRequest: StartRequest;
  pages: readonly { path: string; label: string; key: string }[];
  showShortcuts: () => void;
  /** Nothing can be done on the host of the page. */
  areOff: boolean;
}

export class Palette {
  readonly #sources: PaletteSources;
  #work = $state.raw<PaletteEntry[]>([]);
  readonly #base: PaletteEntry[];
  readonly recent: readonly string[];

  constructor(sources: PaletteSources) {
    this.#sources = sources;
    this.recent = readRecent(sources.account);
    this.#base = [...this.#actions(), ...this.#pages(), ...this.#hosts(), ...this.#sessions()];
  }

  get entries(): PaletteEntry[] {
    return [...this.#base, ...this.#work];
  }

  /** Adds sessions elsewhere, tasks, runs, modules and prompts; a list that cannot be read is left out. */
  async read(): Promise<void> {
    const { rest } = this.#sources.feed;
    const lists = await Promise.allSettled([
      rest
        .call('listFound')
        .then(({ sessions }) =>
          sessions.map(({ id, name, cwd }) =>
            this.#link('Elsewhere', name ?? cwd, cwd, resolve('/found/[id]', { id })),
          ),
        ),
      rest
        .call('listTasks', { query: { limit: LISTED } })
        .then((tasks) =>
          tasks.map(({ task_name: name, status }) =>
            this.#link('Task', name, status.toLowerCase(), resolve('/tasks/[name]', { name })),
          ),
        ),
      rest
        .call('listRuns', { query: { limit: LISTED } })
        .then(({ runs }) =>
          runs.map(({ id, title, status }) =>
            this.#link('Run', title, `${status} · ${id}`, resolve('/runs/[id]', { id })),
          ),
        ),
      rest
        .call('listModules')
        .then(({ modules }) =>
          modules.map(({ id, path }) =>
            this.#link('Module', folderOf(path), path, resolve('/modules/[id]', { id })),
          ),
        ),
      rest
        .call('listPrompts', { query: { limit: LISTED } })
        .then((prompts) =>
          prompts.map(({ title }) => this.#link('Prompt', title, '', resolve('/prompts'))),
        ),
    ]);
    this.#work = lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : []));
  }

  /** Runs it, and remembers it for the next time. */
  run({ id, run }: PaletteEntry): void {
    const recent = [id, ...this.recent.filter((other) => other !== id)].slice(0, MOST_RECENT);
    localStorage.setItem(recentKey(this.#sources.account), JSON.stringify(recent));
    run();
  }

  #actions(): PaletteEntry[] {
    const { account, areOff, hosts, startRequest, showShortcuts } = this.#sources;
    const themes = THEMES.map((name) =>
      action(`Theme: ${name}`, () => theme.choose(name), '', theme.chosen === name ? 'in use' : ''),
    );
    const mayStart = account.mayOperate && !areOff;
    const own = mayStart ? [action('Start a loop', () => startRequest.open(), 'n')] : [];
    return [
      ...own,
      ...themes,
      action('Keyboard shortcuts', showShortcuts, '?'),
      action('Log out', () => logOut(account, hosts.rest)),
    ];
  }

  #pages(): PaletteEntry[] {
    const pages = this.#sources.pages.map(({ path, label, key }) => ({
      ...this.#link('Page', label, '', resolve(path as '/')),
      keys: `g ${key}`,
    }));
    return [
      ...pages,
      this.#link('Page', 'Wall', '', resolve('/wall')),
      this.#link('Page', 'Prompts', '', resolve('/prompts')),
      this.#link('Page', 'Project setups', '', resolve('/projects')),
      this.#link('Page', 'Hosts', '', resolve('/fleet')),
      this.#link('Page', 'Help', '', resolve('/help')),
    ];
  }

  /** Another host's page is loaded as a whole. */
  #hosts(): PaletteEntry[] {
    return this.#sources.hosts.others.map((host) => {
      const { label } = hostStyle(host, Date.now());
      const path = samePageOn(
        host.state === 'here' ? null : host.name,
        pathOnHost(page.url.pathname),
      );
      const run = (): void => location.assign(path);
      return {
        id: `Host:${host.name}`,
        kind: 'Host',
        text: `Go to host ${host.name}`,
        note: label.toLowerCase(),
        keys: '',
        run,
      };
    });
  }

  #sessions(): PaletteEntry[] {
    return Object.values(this.#sources.feed.work.sessions).map(({ name, agent, cwd }) =>
      this.#link('Session', name, agent?.state ?? cwd, resolve('/sessions/[id]', { id: name })),
    );
  }

  #link(kind: PaletteEntry['kind'], text: string, note: string, href: string): PaletteEntry {
    const run = () => void goto(href);
    return { id: `${kind}:${href}:${text}`, kind, text, note, keys: '', run };
  }
}

function action(text: string, run: () => void, keys = '', note = ''): PaletteEntry {
  return { id: `Action:${text}`, kind: 'Action', text, note, keys, run };
}

function folderOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Each person of this browser has their own. */
function recentKey({ name }: Account): string {
  return `${RECENT}/${encodeURIComponent(name ?? '')}`;
}

function readRecent(account: Account): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(recentKey(account)) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}
