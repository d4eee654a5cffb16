/**
 * Sessions, found sessions and respawn as units of work, from their events. A session is one while it
 * has an agent and no supervisor. Pure.
 */
import type { AgentState } from '../../shared/schema/agents/agent-state.ts';
import type { EventRecord } from '../../shared/schema/events/events.ts';
import type { RespawnBlock } from '../../shared/rules/respawn/respawn-names.ts';
import { attentionFor } from '../attention/attention-for.ts';
import { agentShare, respawnShare } from './shares.ts';
import { freshUnit, type Unit } from './unit.ts';

interface SessionFacts {
  agent: AgentState | null;
  cwd: string | null;
  by: string | null;
  /** The newest unit of the session by hand, and the respawn that keeps it going. */
  own: Unit | null;
  respawn: Unit | null;
  block: RespawnBlock | null;
  isPaused: boolean;
}

export class SessionUnits {
  readonly units: Unit[] = [];
  readonly #sessions = new Map<string, SessionFacts>();
  readonly #found = new Map<string, Unit>();

  /** `hasLoop`: after this event a loop works in its session. */
  add(event: EventRecord, hasLoop: boolean): void {
    if (event.type.startsWith('found.')) return this.#addFound(event);
    if (event.session === undefined) return;
    const facts = this.#facts(event.session);
    this.#learn(facts, event);
    this.#respawned(facts, event);
    this.#byHand(facts, event, hasLoop);
  }

  #learn(facts: SessionFacts, { type, data }: EventRecord): void {
    if (type === 'session.created') {
      Object.assign(facts, { cwd: data.cwd, by: data.author ?? facts.by });
    } else if (type === 'session.agent_changed') facts.agent = data.agent;
    else if (type === 'session.closed') facts.agent = null;
    else if (type === 'respawn.blocked') facts.block = data.reason;
    else if (type === 'respawn.paused') facts.isPaused = data.paused;
    else if (type === 'respawn.state') {
      facts.block = null;
      if (data.state === 'stopped' || data.before === 'stopped') facts.isPaused = false;
    }
  }

  #respawned(facts: SessionFacts, { seq, at, type, session: name = '', data }: EventRecord): void {
    const isOfIt = type.startsWith('respawn.') && type !== 'respawn.configured';
    if (facts.respawn === null && isOfIt && !(type === 'respawn.state' && isOver(data))) {
      const isStart = type === 'respawn.state' && data.before === 'stopped';
      const by = type === 'respawn.state' ? (data.author ?? null) : null;
      const openedSeq = isStart ? seq : 0;
      facts.respawn = freshUnit({ kind: 'respawn', name, openedSeq, by, project: facts.cwd });
      this.units.push(facts.respawn);
    }
    const unit = facts.respawn;
    if (unit === null) return;
    if ((type === 'respawn.state' && isOver(data)) || type === 'session.closed') {
      unit.timeline.enter(Date.parse(at), null);
      const author = 'author' in data ? (data.author ?? null) : null;
      unit.reason = author === null ? null : 'user_stop';
      Object.assign(unit, { outcome: 'stopped', endedBy: author, stateSeq: seq });
      facts.respawn = null;
      return;
    }
    const before = unit.timeline.share;
    unit.timeline.enter(Date.parse(at), respawnShare(facts.agent, facts.block, facts.isPaused));
    unit.reason = facts.block;
    if (unit.timeline.share !== before) unit.stateSeq = seq;
  }

  #byHand(facts: SessionFacts, { seq, at, session: name = '' }: EventRecord, hasLoop: boolean) {
    const isSupervised = hasLoop || facts.respawn !== null;
    const share = isSupervised ? null : agentShare(facts.agent);
    if (share !== null && facts.own === null) {
      const { cwd: project, by } = facts;
      facts.own = freshUnit({ kind: 'session', name, openedSeq: seq, project, by });
      this.units.push(facts.own);
    }
    const { own } = facts;
    if (own === null) return;
    own.reason = share === null ? null : (attentionFor(facts.agent)?.reason ?? null);
    if (own.timeline.share === share) return;
    own.timeline.enter(Date.parse(at), share);
    own.stateSeq = seq;
    if (share !== null) return;
    own.outcome = 'stopped';
    facts.own = null;
  }

  #addFound({ seq, at, type, data }: EventRecord): void {
    if (type !== 'found.appeared' && type !== 'found.changed' && type !== 'found.ended') return;
    const { found: name, project, branch, agent } = data;
    const share = type === 'found.ended' ? null : agentShare(agent);
    let unit = this.#found.get(name);
    if (unit === undefined) {
      if (share === null) return;
      const openedSeq = type === 'found.appeared' ? seq : 0;
      unit = freshUnit({ kind: 'found', name, openedSeq, project, branch });
      this.#found.set(name, unit);
      this.units.push(unit);
    }
    unit.reason = share === null ? null : (attentionFor(agent)?.reason ?? null);
    if (unit.timeline.share === share) return;
    unit.timeline.enter(Date.parse(at), share);
    Object.assign(unit, { stateSeq: seq, outcome: share === null ? 'stopped' : null });
  }

  #facts(session: string): SessionFacts {
    const known = this.#sessions.get(session);
    if (known !== undefined) return known;
    const fresh = { agent: null, cwd: null, by: null, own: null, respawn: null, block: null };
    const facts: SessionFacts = { ...fresh, isPaused: false };
    this.#sessions.set(session, facts);
    return facts;
  }
}

function isOver(data: EventRecord['data']): boolean {
  return 'state' in data && data.state === 'stopped';
}
