import { codeWords } from '../rules/text/code-words.ts';
import { TARGET_FORMS } from '../rules/alert-target-forms.ts';
import type { AlertTargetView } from '../schema/alerts/alert-targets.ts';

/** Where an alert goes, the same on the page and in the shell. */
export function targetText(target: AlertTargetView): { how: string; where: string } {
  switch (target.kind) {
    case 'webhook':
      return { how: 'Posts to', where: target.url };
    case 'command':
      return { how: 'Runs', where: target.argv.join(' ') };
    case 'ntfy':
      return service(target, `${target.topic} at ${target.server}`);
    case 'telegram':
      return service(target, `chat ${target.chat} at ${target.server}`);
    case 'pushover':
      return service(target, `${target.user} at ${target.server}`);
    case 'matrix':
      return service(target, `${target.room} at ${target.server}`);
    case 'email':
      return service(target, `${target.to} over ${target.server}`);
    case 'push':
      return service(target, audienceText(target.to));
    case 'slack':
    case 'discord':
    case 'gotify':
      return service(target, target.server);
  }
  // A kind that only a newer host knows.
  return { how: 'Sends to', where: codeWords((target as { kind: string }).kind) };
}

const ROLE_AUDIENCE: Readonly<Record<string, string>> = {
  viewer: 'everyone',
  operator: 'operators and admins',
  admin: 'admins',
};

/** Whose browsers a target of kind push reaches: of a role, or of one member. */
export function audienceText(to: string): string {
  return ROLE_AUDIENCE[to] ?? to;
}

function service({ kind }: { kind: keyof typeof TARGET_FORMS }, where: string) {
  return { how: TARGET_FORMS[kind].label, where };
}
