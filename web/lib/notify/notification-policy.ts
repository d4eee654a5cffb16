/** Who is told of an item that needs somebody, and how. Pure. */
import type { AttentionItem } from '$shared/schema/attention.ts';
import { whomText } from '$shared/words/attention-text.ts';
import { cut, plainText } from '$shared/rules/plain-text.ts';
import { REASON_TEXT } from '$shared/words/reason-text.ts';

/** What a person has switched on in this browser. */
export interface NotificationChoices {
  notices: boolean;
  sound: boolean;
  /** No sound while a Loopwatch page is in sight. */
  quietWhileSeen: boolean;
  badge: boolean;
}

export const NOTHING_CHOSEN: NotificationChoices = {
  notices: false,
  sound: false,
  quietWhileSeen: true,
  badge: false,
};

/** `unsupported`: the browser has none, or not for a page without https. */
export type NoticePermission = 'granted' | 'denied' | 'default' | 'unsupported';

export interface Situation {
  /** Of all open tabs, this one speaks. */
  isSpeaker: boolean;
  /** A Loopwatch page is in sight, in whichever tab. */
  isSeen: boolean;
  permission: NoticePermission;
  /** When the last sound was made, in milliseconds; null when there was none. */
  lastSoundAt: number | null;
}

const SOUND_EVERY_MS = 10_000;

/** Takes the items that are new, the choices, the situation and the time; gives what to do. */
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

/** A desktop shows little, and what it shows may be seen by others. */
const MAX_BODY = 160;

/** Takes an item; gives the words of its notification: session or task, reason and title alone. */
export function notificationText(
  item: Pick<AttentionItem, 'session' | 'task' | 'reason' | 'title'>,
): {
  title: string;
  body: string;
} {
  return {
    title: `${whomText(item)}: ${REASON_TEXT[item.reason].label}`,
    body: cut(plainText(item.title), MAX_BODY),
  };
}

/** Takes what was kept, as text; gives the choices in it, and nothing chosen for the rest. */
export function parseChoices(text: string | null): NotificationChoices {
  const kept = readObject(text);
  const choice = (key: keyof NotificationChoices): boolean => {
    const chosen = kept[key];
    return typeof chosen === 'boolean' ? chosen : NOTHING_CHOSEN[key];
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
