/**
 * A page's connection to a terminal: requested mode, state, and who has control. Pure;
 * `LiveTerminal` carries out the effects.
 */
import type { DetachReason, FrameError } from '$shared/schema/events/protocol.ts';

export type TerminalMode = 'view' | 'control';

export type EndReason = Exclude<DetachReason, 'requested'> | 'session_unknown' | 'refused';

export interface TerminalLink {
  /** `waiting`: the connection was lost and will be retried; `ended`: only a person can retry. */
  readonly phase: 'connecting' | 'attaching' | 'attached' | 'waiting' | 'ended';
  readonly mode: TerminalMode;
  /** Takes control even if someone else has it; a person confirmed. */
  readonly take: boolean;
  readonly controls: boolean;
  /** The other person in control, as named by the daemon; null when there is none. */
  readonly other: string | null;
  /** The person with the control that this page requested; `took`: this page had it before. */
  readonly rival: { readonly name: string; readonly took: boolean } | null;
  /** Consecutive failed connections. */
  readonly failures: number;
  readonly end: EndReason | null;
}

export type LinkInput =
  | { type: 'welcome' }
  | { type: 'attached'; control: boolean }
  | { type: 'control'; control: boolean; by: string | null }
  | { type: 'detached'; reason: DetachReason }
  | { type: 'error'; code: FrameError }
  | { type: 'closed'; code: number }
  | { type: 'retry' }
  /** A person wants to watch, or to type. */
  | { type: 'ask'; mode: TerminalMode; take: boolean }
  /** The screen is incomplete: a full redraw is needed. */
  | { type: 'redraw' };

export type LinkEffect =
  | { do: 'connect' }
  | { do: 'disconnect' }
  | { do: 'attach'; control: boolean; take: boolean }
  | { do: 'wait'; failures: number };

export interface LinkStep {
  link: TerminalLink;
  effects: readonly LinkEffect[];
}

/** Close codes from here to 4499: do not retry the same request. */
const HOPELESS_FROM = 4400;
const HOPELESS_TO = 4499;

export function openLink(mode: TerminalMode): LinkStep {
  const link: TerminalLink = {
    phase: 'connecting',
    mode,
    take: false,
    controls: false,
    other: null,
    rival: null,
    failures: 0,
    end: null,
  };
  return { link, effects: [{ do: 'connect' }] };
}

export function stepLink(link: TerminalLink, input: LinkInput): LinkStep {
  switch (input.type) {
    case 'welcome':
      return attach(link);
    case 'attached':
      return stay(attached(link, input.control));
    case 'control':
      return stay(controlled(link, input));
    case 'detached':
      return detached(link, input.reason);
    case 'error':
      return refused(link, input.code);
    case 'closed':
      return closed(link, input.code);
    case 'retry':
      return link.phase === 'waiting' ? connect(link) : stay(link);
    case 'ask':
      return ask(link, input);
    case 'redraw':
      return link.phase === 'attached' ? attach(link) : stay(link);
  }
}

/** Whether the shown screen is current. */
export function isLive(link: TerminalLink): boolean {
  return link.phase === 'attached';
}

function stay(link: TerminalLink): LinkStep {
  return { link, effects: [] };
}

function connect(link: TerminalLink): LinkStep {
  return { link: { ...link, phase: 'connecting', end: null }, effects: [{ do: 'connect' }] };
}

function attach(link: TerminalLink): LinkStep {
  const { mode, take } = link;
  return {
    link: { ...link, phase: 'attaching', controls: false },
    effects: [{ do: 'attach', control: mode === 'control', take }],
  };
}

/** Control that was requested but not granted belongs to someone else. */
function attached(link: TerminalLink, control: boolean): TerminalLink {
  const shown = {
    ...link,
    phase: 'attached',
    take: false,
    failures: 0,
    controls: control,
  } as const;
  if (control) return { ...shown, other: null, rival: null };
  if (link.mode === 'view') return shown;
  const rival = link.other === null ? null : { name: link.other, took: false };
  return { ...shown, mode: 'view', rival };
}

/** Control is never taken back automatically: the other person is typing. */
function controlled(
  link: TerminalLink,
  { control, by }: { control: boolean; by: string | null },
): TerminalLink {
  if (control) return { ...link, controls: true, other: null, rival: null };
  const rival = by === null ? null : { name: by, took: link.controls || link.rival?.took === true };
  if (link.controls) return { ...link, mode: 'view', controls: false, other: by, rival };
  return { ...link, other: by, rival: link.rival === null ? null : rival };
}

function detached(link: TerminalLink, reason: DetachReason): LinkStep {
  // The first answers a repeated request, the second is followed by the end of the connection.
  if (reason === 'requested' || reason === 'daemon_stopping') return stay(link);
  return end(link, reason);
}

function refused(link: TerminalLink, code: FrameError): LinkStep {
  if (code === 'session_unknown') return end(link, code);
  if (code === 'role_too_low') return attach({ ...link, mode: 'view', take: false });
  return stay(link);
}

function end(link: TerminalLink, reason: EndReason): LinkStep {
  return {
    link: { ...link, phase: 'ended', controls: false, take: false, other: null, end: reason },
    effects: [{ do: 'disconnect' }],
  };
}

function closed(link: TerminalLink, code: number): LinkStep {
  if (link.phase === 'ended' || link.phase === 'waiting') return stay(link);
  if (code >= HOPELESS_FROM && code <= HOPELESS_TO) return end(link, 'refused');
  const failures = link.failures + 1;
  return {
    link: { ...link, phase: 'waiting', controls: false, take: false, other: null, failures },
    effects: [{ do: 'wait', failures }],
  };
}

/** A decision about another person's control applies now, not to later connections. */
function ask(link: TerminalLink, { mode, take }: { mode: TerminalMode; take: boolean }): LinkStep {
  const requested = { ...link, mode, rival: null };
  if (link.phase === 'attached' || link.phase === 'attaching')
    return attach({ ...requested, take });
  return link.phase === 'ended' ? connect({ ...requested, failures: 0 }) : stay(requested);
}
