/** Whom an alert by Web Push reaches. Pure. */
import type { AlertRule } from '$shared/schema/alerts/alerts.ts';
import type { Role } from '$shared/schema/people/role.ts';

/** From the least rights to the most: one includes those after it. */
export const ROLES: readonly Role[] = ['viewer', 'operator', 'admin'];

/** Whether one of the enabled rules sends to this person's browsers. */
export function isReached(
  rules: readonly Pick<AlertRule, 'enabled' | 'target' | 'steps'>[],
  { name, role }: { name: string | null; role: Role | null },
): boolean {
  const targets = rules
    .filter(({ enabled }) => enabled)
    .flatMap(({ target, steps }) => [target, ...steps.map((step) => step.target)]);
  const least = (to: string) => ROLES.findIndex((each) => each === to);
  const own = least(role ?? '');
  return targets.some((target) => {
    if (target.kind !== 'push') return false;
    const wanted = least(target.to);
    return wanted < 0 ? target.to === name : own >= wanted;
  });
}
