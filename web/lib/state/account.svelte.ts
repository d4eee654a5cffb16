/** The token of this browser, shared by its tabs. */
import { Rest } from '$lib/client/rest.ts';
import type { Role } from '$shared/role.ts';

const STORAGE_KEY = 'loopwatch.account';

interface Credentials {
  token: string;
  /** Null for a pasted token: the daemon does not say whose it is. */
  role: Role | null;
}

export class Account {
  #credentials = $state.raw<Credentials | null>(readStored());
  /** True when a token was held and the daemon no longer takes it. */
  isExpired = $state(false);

  get token(): string | null {
    return this.#credentials?.token ?? null;
  }

  get mayOperate(): boolean {
    return this.#credentials?.role !== 'viewer';
  }

  async loginWithCode(code: string): Promise<void> {
    const { token, role } = await new Rest(null).call('login', { body: { code } });
    this.#keep({ token, role });
  }

  async loginWithToken(token: string): Promise<void> {
    await new Rest(token).call('status');
    this.#keep({ token, role: null });
  }

  expire(): void {
    this.isExpired = true;
    this.#credentials = null;
    localStorage.removeItem(STORAGE_KEY);
  }

  forget(): void {
    this.#credentials = null;
    this.isExpired = false;
    localStorage.removeItem(STORAGE_KEY);
  }

  /** Follows a login or logout in another tab; the result ends it. */
  followOtherTabs(): () => void {
    const follow = (event: StorageEvent): void => {
      if (event.key === STORAGE_KEY) this.#credentials = readStored();
    };
    addEventListener('storage', follow);
    return () => removeEventListener('storage', follow);
  }

  #keep(credentials: Credentials): void {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(credentials));
    this.isExpired = false;
    this.#credentials = credentials;
  }
}

function readStored(): Credentials | null {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as Credentials | null;
  } catch {
    return null;
  }
}
