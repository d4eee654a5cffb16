/** The people whose browsers get Web Push, as they are now. */
import { HOME_NAME } from '../../shared/schema/people/people.ts';
import { personKey } from '../../shared/schema/people/person-name.ts';
import { mayAct, Role } from '../../shared/schema/people/role.ts';
import { HOME_IDENTITY, type Identity } from '../people/identity.ts';
import { hashSecret, markOf } from '../people/one-time-secrets.ts';
import type { PersonStore } from '../people/person-store.ts';

/** In place of an id, for everyone who has the token of the home. */
const HOME_ID = 'home';

export interface Addressee {
  id: string;
  name: string;
  role: Role;
  /** Of the token that must be valid for a browser to be theirs. */
  mark: string | null;
}

export class Addressees {
  readonly #people: Pick<PersonStore, 'load'>;
  readonly #home: Addressee;

  /** `token`: of the home. */
  constructor(people: Pick<PersonStore, 'load'>, token: string) {
    this.#people = people;
    const { role } = HOME_IDENTITY;
    this.#home = { id: HOME_ID, name: HOME_NAME, role, mark: markOf(hashSecret(token)) };
  }

  all(): Map<string, Addressee> {
    const members = this.#people.load().map(({ id, name, role, tokenHash }) => {
      return { id, name, role, mark: tokenHash === null ? null : markOf(tokenHash) };
    });
    return new Map([this.#home, ...members].map((each) => [each.id, each]));
  }

  of({ id }: Identity): Addressee | null {
    return this.all().get(id ?? HOME_ID) ?? null;
  }
}

/** `to`: a role, which means at least that one, or the name of a member. */
export function isAddressed(to: string, { name, role }: Pick<Addressee, 'name' | 'role'>): boolean {
  const least = Role.safeParse(to);
  return least.success ? mayAct(role, least.data) : personKey(name) === personKey(to);
}
