/** Whether and how this tab notifies of an item. Pure. */
import type { AttentionItem } from '$shared/schema/attention/attention.ts';
import { whomText } from '$shared/words/attention-text.ts';
import { cut, plainText } from '$shared/rules/text/plain-text.ts';
import { reasonText } from '$shared/words/reason-text.ts';

/** What is switched on in this browser. */
export interface NotificationChoices {
  notices: boolean;
  sound: boolean;
  /** No sound while a Loopwatch page is visible. */
  quietWhileSeen: boolean;
  badge: boolean;
}

/** What interrupts is off until a person switches it on; a number on the icon interrupts no one. */
export const UNTOUCHED: NotificationChoices = {
  notices: false,
  sound: false,
  quietWhileSeen: true,
  badge: true,
};

/** `unsupported`: the browser has no notifications, or not without https. */
export type NoticePermission = 'granted' | 'denied' | 'default' | 'unsupported';

export interface Situation {
  /** This is the one tab that notifies. */
  isSpeaker: boolean;
  /** A Loopwatch page is visible, in any tab. */
  isSeen: boolean;
  permission: NoticePermission;
  /** Time of the last sound, in milliseconds; null if there was none. */
  lastSoundAt: number | null;
}

const SOUND_EVERY_MS = 10_000;

export function notificationFor(
  fresh: readonly AttentionItem[],
  choices: NotificationChoices,
  { isSpeaker, isSeen, permission, lastSoundAt }: Situation,
  nowMs: number,
): { show: readonly AttentionItem[]; sound: boolean } {
  if (!isSpeaker || fresh.length === 0) return { show: [], sound: false };
  const mayShow = choices.notices && permission === 'granted' && !isSeen;
  const isRested = lastSoundAt === null || nowMs - lastSoundAt >= SOUND_EVERY_MS;
  const isWelcome = !(choices.quietWhileSeen && isSeen);
  return { show: mayShow ? fresh : [], sound: choices.sound && isRested && isWelcome };
}

/** Desktop notifications are short, and others may see them. */
const MAX_BODY = 160;

/** Only session, task or run, reason and title; `host`: another host that it is on. */
export function notificationText(
  item: Pick<AttentionItem, 'session' | 'subject' | 'reason' | 'title'>,
  host: string | null = null,
): {
  title: string;
  body: string;
} {
  const where = host === null ? '' : ` on ${host}`;
  return {
    title: `${whomText(item)}${where}: ${reasonText(item.reason).label}`,
    body: cut(plainText(item.title), MAX_BODY),
  };
}

/** Reads stored choices; what is missing or no choice stays untouched. */
export function parseChoices(text: string | null): NotificationChoices {
  const kept = readObject(text);
  const choice = (key: keyof NotificationChoices): boolean => {
    const chosen = kept[key];
    return typeof chosen === 'boolean' ? chosen : UNTOUCHED[key];
  };
  return {
    notices: choice('notices'),
    sound: choice('sound'),
    quietWhileSeen: choice('quietWhileSeen'),
    badge: choice('badge'),
  };
}

function readObject(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const kept: unknown = JSON.parse(text ?? '{}');
    return typeof kept === 'object' && kept !== null ? { ...kept } : {};
  } catch {
    return {};
  }
}
