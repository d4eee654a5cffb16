/** The token of this browser and its person, shared by its tabs. */
import { Rest } from '$lib/client/rest.ts';
import type { Role } from '$shared/schema/people/role.ts';

const STORAGE_KEY = 'loopwatch.account';

interface Credentials {
  token: string;
  /** Null until known from the daemon; an unknown person may only watch. */
  name: string | null;
  role: Role | null;
}

export class Account {
  #credentials = $state.raw<Credentials | null>(null);
  readonly #isGuest: boolean;
  /** True when the daemon no longer accepts the stored token. */
  isExpired = $state(false);

  /** A guest's name and role are those at another host: known once that was asked, and not stored. */
  constructor(isGuest = false) {
    this.#isGuest = isGuest;
    this.#credentials = this.#read();
  }

  get token(): string | null {
    return this.#credentials?.token ?? null;
  }

  get name(): string | null {
    return this.#credentials?.name ?? null;
  }

  get role(): Role | null {
    return this.#credentials?.role ?? null;
  }

  get mayOperate(): boolean {
    return this.role === 'operator' || this.role === 'admin';
  }

  /** May manage people and alerts. */
  get mayAdminister(): boolean {
    return this.role === 'admin';
  }

  /** Logged out, here or in another tab. A token that this tab found expired is no logout. */
  get hasLeft(): boolean {
    return this.token === null && !this.isExpired;
  }

  async loginWithCode(code: string): Promise<void> {
    this.#keep(await new Rest(null).call('login', { body: { code } }));
  }

  async loginWithToken(token: string): Promise<void> {
    const { name, role } = await new Rest(token).call('getMe');
    this.#keep({ token, name, role });
  }

  /** Reads the person's identity from the daemon; unchanged if that fails. */
  async refresh(rest: Rest): Promise<void> {
    const before = this.#credentials;
    const me = await rest.call('getMe').catch(() => null);
    // Another person logged in, or this one logged out, during the request.
    if (me === null || before === null || this.#credentials !== before) return;
    if (me.name === before.name && me.role === before.role) return;
    const credentials = { token: before.token, name: me.name, role: me.role };
    if (this.#isGuest) this.#credentials = credentials;
    else this.#keep(credentials);
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

  /** Follows a login or logout in another tab; call the result to stop. */
  followOtherTabs(): () => void {
    const follow = (event: StorageEvent): void => {
      if (event.key !== STORAGE_KEY) return;
      const stored = this.#read();
      // Of a guest only the token is stored.
      if (!this.#isGuest || stored?.token !== this.token) this.#credentials = stored;
    };
    addEventListener('storage', follow);
    return () => removeEventListener('storage', follow);
  }

  #keep({ token, name, role }: Credentials): void {
    const credentials = { token, name, role };
    localStorage.setItem(STORAGE_KEY, JSON.stringify(credentials));
    this.isExpired = false;
    this.#credentials = this.#read();
  }

  #read(): Credentials | null {
    const stored = readStored();
    return stored === null || !this.#isGuest ? stored : { ...stored, name: null, role: null };
  }
}

function readStored(): Credentials | null {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as Credentials | null;
    return stored === null ? null : { ...stored, name: stored.name ?? null };
  } catch {
    return null;
  }
}
