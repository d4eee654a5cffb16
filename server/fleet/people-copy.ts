/**
 * The people of a fleet: everyone who was invited on one host exists on all of them, and logs in
 * there with the same token. Each host keeps its own list and works without the fleet; what was
 * missed is made up for as soon as there is a connection, removals first. The token of a home is no
 * person: it never leaves it.
 */
import { personKey } from '../../shared/schema/people/person-name.ts';
import { messageOf } from '../lib/app-error.ts';
import type { Log } from '../lib/log.ts';
import { parseJson } from '../lib/parse-json.ts';
import type { SharedPeople } from '../people/shared-people.ts';
import type { KnownPerson, SharedPerson } from '../people/shared-person.ts';
import type { Carrier } from './carrier.ts';
import { FleetPerson, isSamePerson, reconcilePerson } from './reconcile-person.ts';

type PeopleCarrier = Pick<Carrier, 'isConnected' | 'onConnection' | 'savePerson' | 'onPeople'>;

const PERSON_ID = /^[0-9a-f]{20}$/;
const MAX_NAME = 36;

interface Heard {
  record: FleetPerson;
  revision: number;
  /** In which reading of the fleet: a server that lost what it knew counts from the beginning. */
  reading: number;
}

export class PeopleCopy {
  readonly #carrier: PeopleCarrier;
  readonly #people: SharedPeople;
  readonly #log: Log;
  /** The newest that the fleet said of each. */
  readonly #heard = new Map<string, Heard>();
  /** Heard and not yet settled. */
  readonly #waiting = new Set<string>();
  readonly #saving = new Set<string>();
  /** Changed while a save of them was open: that one may fail with its old connection. */
  readonly #again = new Set<string>();
  /** What was sent last of each, also when no answer came: heard again, it is what both agree on. */
  readonly #sent = new Map<string, SharedPerson>();
  readonly #ends: (() => void)[];
  #reading = 0;
  /** Until then, that the fleet said nothing of a person means nothing. */
  #isComplete = false;

  /** Begins at once; `people` is this host's own. */
  constructor(options: { carrier: PeopleCarrier; people: SharedPeople; log: Log }) {
    const { carrier, people, log } = options;
    this.#carrier = carrier;
    this.#people = people;
    this.#log = log;
    this.#ends = [
      carrier.onPeople({
        began: () => {
          this.#reading += 1;
          this.#isComplete = false;
        },
        person: (id, record, revision) => this.#hear(id, record, revision),
        complete: () => this.#complete(),
      }),
      carrier.onConnection((isConnected) => {
        if (!isConnected) this.#isComplete = false;
      }),
      people.onChange((id) => this.#settle(id)),
    ];
  }

  dispose(): void {
    for (const end of this.#ends) end();
  }

  #hear(id: string, bytes: Uint8Array, revision: number): void {
    const known = this.#heard.get(id);
    if (known?.reading === this.#reading && revision <= known.revision) return;
    const parsed = FleetPerson.safeParse(parseJson(new TextDecoder().decode(bytes)));
    if (!PERSON_ID.test(id) || !parsed.success) {
      this.#log.warn({ id }, 'the fleet has a person that cannot be read');
      return;
    }
    // A removed person stays removed, also when a host writes them again: the fleet hears it again.
    const record = known?.record.removed === true ? known.record : parsed.data;
    this.#heard.set(id, { record, revision, reading: this.#reading });
    if (record.removed && !parsed.data.removed) void this.#save(id, record);
    // All that arrives together is settled together, removals first.
    if (this.#waiting.size === 0) queueMicrotask(() => this.#settleHeard());
    this.#waiting.add(id);
  }

  #settleHeard(): void {
    const ids = [...this.#waiting];
    this.#waiting.clear();
    const isRemoval = (id: string) => (this.#heard.get(id)?.record.removed === true ? 0 : 1);
    for (const id of ids.sort((a, b) => isRemoval(a) - isRemoval(b))) this.#settle(id);
  }

  /** What the fleet did not say this time, it has lost. Own removals go to it first. */
  #complete(): void {
    this.#isComplete = true;
    this.#settleHeard();
    for (const [id, { reading }] of this.#heard) {
      if (reading !== this.#reading) this.#heard.delete(id);
    }
    const all = this.#people.known();
    const rank = ({ isRemoved }: KnownPerson) => (isRemoved ? 0 : 1);
    for (const { id } of all.sort((a, b) => rank(a) - rank(b))) this.#settle(id);
  }

  #settle(id: string): void {
    if (!this.#isComplete && this.#heard.get(id)?.reading !== this.#reading) return;
    try {
      const fleet = this.#heard.get(id)?.record ?? null;
      const said = fleet === null || fleet.removed ? null : fleet.person;
      const isOwn = said !== null && isSamePerson(said, this.#sent.get(id) ?? null);
      if (isOwn) this.#people.agree(id, said);
      const [local = null] = this.#people.known(id);
      const { become, save } = reconcilePerson(local, fleet);
      if (become === 'removed') this.#people.remove(id);
      else if (become !== null) this.#adopt(id, become, said);
      else if (local !== null && said !== null && !isSamePerson(local.agreed, said)) {
        this.#people.agree(id, said);
      }
      if (save !== null) void this.#save(id, save);
    } catch (error) {
      // A full disk, too many people: tried again with the next connection or change.
      this.#log.warn({ id, error: messageOf(error) }, 'a person of the fleet cannot be stored');
    }
  }

  /** Of two people with one name, who were invited on two hosts at once, the later gets a number. */
  #adopt(id: string, person: SharedPerson, said: SharedPerson | null): void {
    const key = personKey(person.name);
    const others = this.#people.known().filter((each) => each.id !== id && !each.isRemoved);
    const other = others.find((each) => personKey(each.person.name) === key);
    if (other === undefined) return this.#people.adopt(id, person, said);
    const isFirst = ageOf({ id, person }) < ageOf(other);
    const names = [...others.map((each) => each.person.name), person.name];
    const later = isFirst ? other.person : person;
    const renamed = { ...later, name: numbered(later.name, names) };
    if (isFirst) this.#people.adopt(other.id, renamed, other.agreed);
    this.#people.adopt(id, isFirst ? person : renamed, said);
    this.#settle(isFirst ? other.id : id);
  }

  async #save(id: string, record: FleetPerson): Promise<void> {
    if (!this.#carrier.isConnected) return;
    if (this.#saving.has(id)) {
      this.#again.add(id);
      return;
    }
    this.#saving.add(id);
    const reading = this.#reading;
    const after = this.#heard.get(id)?.revision ?? 0;
    if (!record.removed) this.#sent.set(id, record.person);
    const bytes = new TextEncoder().encode(JSON.stringify(record));
    const saved = await this.#carrier.savePerson(id, bytes, after).catch((error: unknown) => {
      this.#log.warn({ id, error: messageOf(error) }, 'the fleet does not take a person yet');
      return null;
    });
    this.#saving.delete(id);
    const isMissed = this.#again.delete(id);
    const revision = this.#heard.get(id)?.revision ?? 0;
    // Moved: what another host wrote settles it, when that has arrived.
    const isUnsettled = saved === null || (saved === 'moved' && revision === after);
    if (isUnsettled && !isMissed) return;
    if (typeof saved === 'number' && saved > revision && reading === this.#reading) {
      this.#heard.set(id, { record, revision: saved, reading });
    }
    this.#settle(id);
  }
}

/** In order of invitation, the same on every host. */
function ageOf({ id, person }: { id: string; person: SharedPerson }): string {
  return `${person.createdAt} ${id}`;
}

function numbered(name: string, taken: readonly string[]): string {
  const keys = new Set(taken.map(personKey));
  const short = Array.from(name).slice(0, MAX_NAME).join('').trim();
  for (let number = 2; ; number += 1) {
    const next = `${short} ${number}`;
    if (!keys.has(personKey(next))) return next;
  }
}
