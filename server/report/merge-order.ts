/** Branches that change the same files, and an order in which to merge what is completed. Pure. */
import type { MergeOrder, Overlap } from '../../shared/schema/usage/report.ts';

const MAX_FILES = 20;

export interface ChangedBranch {
  repository: string;
  branch: string;
  base: string;
  unit: string;
  /** The task's name, and the tasks it depends on. */
  name: string;
  dependsOn: readonly string[];
  isCompleted: boolean;
  isProven: boolean;
  files: readonly string[];
}

export function overlapsOf(branches: readonly ChangedBranch[]): Overlap[] {
  return branches.flatMap((one, index) =>
    branches.slice(index + 1).flatMap((other) => {
      const files = sharedFiles(one, other);
      if (files.length === 0) return [];
      const { repository } = one;
      const pair = [one.branch, other.branch];
      return [
        { repository, branches: pair, files: files.slice(0, MAX_FILES), count: files.length },
      ];
    }),
  );
}

/**
 * Of the completed branches with changes, per repository: what others depend on first, then what is
 * proven, what shares fewest files with the rest, and what changes least.
 */
export function mergeOrders(branches: readonly ChangedBranch[]): MergeOrder[] {
  const ready = branches.filter(({ isCompleted, files }) => isCompleted && files.length > 0);
  const repositories = [...new Set(ready.map(({ repository }) => repository))].sort();
  return repositories.map((repository) => {
    const left = ready.filter((each) => each.repository === repository);
    const sharing = new Map(
      left.map((one) => [one, left.filter((other) => sharedFiles(one, other).length > 0).length]),
    );
    const fewest = (one: ChangedBranch, other: ChangedBranch) =>
      Number(other.isProven) - Number(one.isProven) ||
      (sharing.get(one) ?? 0) - (sharing.get(other) ?? 0) ||
      one.files.length - other.files.length ||
      one.branch.localeCompare(other.branch);
    left.sort(fewest);
    const order: ChangedBranch[] = [];
    while (left.length > 0) {
      const names = new Set(left.map(({ name }) => name));
      const isFree = ({ name, dependsOn }: ChangedBranch) =>
        !dependsOn.some((each) => each !== name && names.has(each));
      // Dependencies in a circle: any of them.
      const next = Math.max(0, left.findIndex(isFree));
      order.push(...left.splice(next, 1));
    }
    const steps = order.map((each, index) => {
      const earlier = order.slice(0, index).filter((other) => sharedFiles(other, each).length > 0);
      const { branch, unit, isProven: proven } = each;
      return { branch, unit, proven, after: earlier.map((other) => other.branch) };
    });
    return { repository, steps };
  });
}

function sharedFiles(one: ChangedBranch, other: ChangedBranch): string[] {
  if (one.repository !== other.repository || one.branch === other.branch) return [];
  const files = new Set(other.files);
  return one.files.filter((file) => files.has(file));
}
