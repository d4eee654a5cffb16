/** Notifies a person on another page that they are needed, in the ways they chose. */
import type { AttentionItem } from '$shared/schema/attention/attention.ts';
import {
  type NoticePermission,
  notificationText,
  type NotificationChoices,
  parseChoices,
  notificationFor,
} from './notification-policy.ts';
import { TabRoles } from './tab-roles.ts';
import { TwoTones } from './two-tones.ts';

/** Only in this browser. */
const STORAGE_KEY = 'loopwatch.notifications';

export class Notifier {
  choices = $state.raw<NotificationChoices>(parseChoices(localStorage.getItem(STORAGE_KEY)));
  permission = $state<NoticePermission>(permissionNow());
  /** Whether the settings dialog is open. */
  isOpen = $state(false);

  readonly #onopen: (item: string) => void;
  readonly #roles = new TabRoles();
  readonly #tones = new TwoTones();
  #shown: readonly { host: string | null; id: string; notice: Notification }[] = [];
  /** For each host the items already notified, or present when its inbox was first read. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing shows it
  readonly #known = new Map<string | null, readonly string[]>();
  #lastSoundAt: number | null = null;

  /** `onopen` opens the item of a clicked notification. */
  constructor(onopen: (item: string) => void) {
    this.#onopen = onopen;
  }

  /** Joins the open tabs; call the result to leave. */
  start(): () => void {
    const stopRoles = this.#roles.start();
    const listening = new AbortController();
    const { signal } = listening;
    const unlock = (): void => {
      if (this.choices.sound) this.#tones.unlock();
    };
    addEventListener('pointerdown', unlock, { signal });
    addEventListener('keydown', unlock, { signal });
    // Another tab changed the choices.
    addEventListener(
      'storage',
      ({ key, newValue }) => {
        if (key === STORAGE_KEY) this.choices = parseChoices(newValue);
      },
      { signal },
    );
    return () => {
      listening.abort();
      stopRoles();
      this.#tones.close();
      this.#closeAll(() => true);
      showBadge(0);
    };
  }

  /** Call with all open items of a host whenever they change; null: the host of the page. */
  follow(host: string | null, open: readonly AttentionItem[]): void {
    const ids = open.map(({ id }) => id);
    this.#closeAll((each) => each.host === host && !ids.includes(each.id));
    const known = this.#known.get(host);
    this.#known.set(host, ids);
    // Items present when a page opens are visible on it.
    if (known === undefined) return;
    const fresh = open.filter(({ id }) => !known.includes(id));
    if (fresh.length > 0) void this.#notify(host, fresh);
  }

  /** Of the others nothing more is heard. */
  keepOnly(others: readonly string[]): void {
    const isKept = (host: string | null): boolean => host === null || others.includes(host);
    this.#closeAll(({ host }) => !isKept(host));
    for (const host of [...this.#known.keys()]) if (!isKept(host)) this.#known.delete(host);
  }

  /** On the icon; 0 for none. */
  showCount(count: number): void {
    showBadge(count);
  }

  /** Another notification shows the item. */
  withdraw(item: string): void {
    this.#closeAll(({ id }) => id === item);
  }

  /** Asks for the browser's permission if the choice needs it. */
  async choose(change: Partial<NotificationChoices>): Promise<void> {
    if (change.sound === true) this.#tones.unlock();
    if (change.notices === true && this.permission !== 'unsupported') {
      this.permission = await Notification.requestPermission();
    }
    const refused = change.notices === true && this.permission !== 'granted';
    this.choices = { ...this.choices, ...change, ...(refused ? { notices: false } : {}) };
    localStorage.setItem(STORAGE_KEY, JSON.stringify(this.choices));
  }

  /** Notifies once in the chosen ways; returns a description. */
  test(): string {
    const { notices, sound } = this.choices;
    const done: string[] = [];
    if (notices) {
      const isShown = this.#show(null, 'test', 'Loopwatch', 'This is a test notification.');
      done.push(isShown ? 'Notification sent.' : 'The browser did not show the notification.');
    }
    if (sound) {
      this.#tones.unlock();
      const isPlayed = this.#tones.play();
      done.push(isPlayed ? 'Sound played.' : 'The browser blocked the sound. Try again.');
    }
    return done.length === 0 ? 'Turn on notifications or sound first.' : done.join(' ');
  }

  async #notify(host: string | null, fresh: readonly AttentionItem[]): Promise<void> {
    const [isSeen, isSpeaker] = await Promise.all([this.#roles.isSeen(), this.#roles.isSpeaker()]);
    this.permission = permissionNow();
    const situation = {
      isSeen,
      isSpeaker,
      permission: this.permission,
      lastSoundAt: this.#lastSoundAt,
    };
    const { show, sound } = notificationFor(fresh, this.choices, situation, performance.now());
    for (const item of show) {
      // It may have been answered since.
      if (this.#known.get(host)?.includes(item.id) !== true) continue;
      const { title, body } = notificationText(item, host);
      this.#show(host, item.id, title, body);
    }
    if (sound && this.#tones.play()) this.#lastSoundAt = performance.now();
  }

  #closeAll(isOver: (shown: { host: string | null; id: string }) => boolean): void {
    for (const each of this.#shown) if (isOver(each)) each.notice.close();
    this.#shown = this.#shown.filter((each) => !isOver(each));
  }

  #show(host: string | null, id: string, title: string, body: string): boolean {
    try {
      const notice = new Notification(title, { body, tag: `loopwatch-${id}` });
      notice.onclick = () => {
        focus();
        notice.close();
        if (id !== 'test') this.#onopen(id);
      };
      if (id !== 'test') this.#shown = [...this.#shown, { host, id, notice }];
      return true;
    } catch {
      // Some phone browsers have the constructor, but it throws.
      this.permission = 'unsupported';
      return false;
    }
  }
}

function permissionNow(): NoticePermission {
  return 'Notification' in globalThis && isSecureContext ? Notification.permission : 'unsupported';
}

/** The tab's icon with the number of open items, as a `data:` URL. */
function badgedIcon(count: number): string {
  const text = count > 9 ? '9+' : String(count);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none">` +
    `<rect width="32" height="32" rx="8" fill="#12312e"/>` +
    `<path d="M16 7a9 9 0 1 1-8.4 5.8" stroke="#4fd1b8" stroke-width="3.2" stroke-linecap="round"/>` +
    `<circle cx="22" cy="22" r="10" fill="#d92d20"/>` +
    `<text x="22" y="27" font-family="sans-serif" font-size="14" font-weight="700" fill="#fff" ` +
    `text-anchor="middle">${text}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Shows the number of open items on the tab's icon and, if installed, the app's. */
function showBadge(count: number): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link !== null) {
    link.dataset['plain'] ??= link.href;
    link.href = count === 0 ? link.dataset['plain'] : badgedIcon(count);
  }
  if (!('setAppBadge' in navigator)) return;
  const shown = count === 0 ? navigator.clearAppBadge() : navigator.setAppBadge(count);
  shown.catch(() => undefined);
}
