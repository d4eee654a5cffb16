/** From a target as entered to the one that is stored, and to what each role sees of it. */
import { TARGET_FORMS } from '../../../shared/rules/alert-target-forms.ts';
import type { AlertSteps } from '../../../shared/schema/alerts/alert-incidents.ts';
import type { AlertTarget, AlertTargetView } from '../../../shared/schema/alerts/alert-targets.ts';
import type { Role } from '../../../shared/schema/people/role.ts';
import { AppError } from '../../lib/app-error.ts';
import type { Step, Target } from '../rules/rule.ts';
import { newWebhookSecret } from './sign-webhook.ts';

/** Replaces the part of a target that can be a secret. */
export const HIDDEN = '…';

/**
 * An omitted secret is kept, unless it would go to another server than before: that would show it.
 * A webhook without one gets a new one. Throws `invalid_body` when a service needs one.
 */
export function targetFrom(given: AlertTarget, before: Target | null): Target {
  switch (given.kind) {
    case 'command':
    case 'push':
      return given;
    case 'webhook': {
      const kept = before?.kind === 'webhook' ? before.secret : newWebhookSecret();
      return { ...given, secret: given.secret ?? kept };
    }
    default: {
      const isSame = before?.kind === given.kind && serverOf(before) === serverOf(given);
      const secret = given.secret ?? (isSame ? before.secret : '');
      const form = TARGET_FORMS[given.kind].secret;
      if (secret === '' && form?.isOptional === false) throw missing(`${form.label} is required`);
      if (given.kind === 'email' && secret !== '' && given.user === '')
        throw missing('a password requires a user', 'target.user');
      return { ...given, secret };
    }
  }
}

/** The secret of a step stays where the step at that place has the same server. */
export function stepsFrom(given: AlertSteps, before: readonly Step[]): Step[] {
  return given.map(({ after_minutes: afterMinutes, target }, index) => ({
    afterMinutes,
    target: targetFrom(target, before[index]?.target ?? null),
  }));
}

/** A path and arguments can be credentials of another service, so only admins see them. */
export function targetView(target: Target, role: Role): AlertTargetView {
  const isAdmin = role === 'admin';
  if (target.kind === 'command') {
    const [program = '', ...args] = target.argv;
    return isAdmin || args.length === 0 ? target : { kind: 'command', argv: [program, HIDDEN] };
  }
  if (target.kind === 'push') return target;
  const { secret, ...shown } = target;
  const has_secret = secret !== '';
  switch (shown.kind) {
    case 'webhook':
      return { ...shown, url: isAdmin ? shown.url : originOf(shown.url), has_secret: true };
    case 'slack':
    case 'discord':
      return { ...shown, server: originOf(secret), has_secret };
    default: {
      if (isAdmin) return { ...shown, has_secret };
      const { kind } = shown;
      const hidden = Object.keys(shown).map((key) => [key, HIDDEN] as const);
      const all = Object.fromEntries<string>(hidden);
      return { ...all, kind, server: originOf(shown.server), has_secret } as AlertTargetView;
    }
  }
}

/** The origin of a URL, which is no secret. */
function originOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}/${HIDDEN}`;
}

function serverOf(target: AlertTarget | Target): string {
  return 'server' in target ? target.server : '';
}

function missing(message: string, field = 'target.secret'): AppError {
  return new AppError('invalid_body', `${field}: ${message}`, { issues: [{ field, message }] });
}
