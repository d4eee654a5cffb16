/** A task as stored: what people specified, and its progress. */
import type { EndCriteria } from '../../../shared/schema/tasks/end-criteria.ts';
import type { PermissionMode } from '../../../shared/schema/tasks/permission-mode.ts';
import type { Placed } from '../../../shared/schema/tasks/placement.ts';
import type { Project } from '../../../shared/schema/tasks/project.ts';
import type { TaskState } from '../machine/task-state.ts';

export interface TaskPlan {
  description: string;
  rootFolder: string;
  branchName: string | null;
  baseBranch: string | null;
  /** The address of its remote; null without one, and without git. */
  gitRepo: string | null;
  isRepository: boolean;
  useWorktree: boolean;
  criteria: EndCriteria;
  projects: Project[];
  projectContext: string;
  customHumanInput: string | null;
  permissionMode: PermissionMode;
  priority: number;
  dependsOn: string[];
  /** Absent in what an earlier version stored. */
  placed?: Placed | null;
}

export interface TaskRecord {
  id: string;
  name: string;
  projectId: string;
  plan: TaskPlan;
  state: TaskState;
  createdBy: string | null;
  createdAt: string;
  updatedAt: string;
}
