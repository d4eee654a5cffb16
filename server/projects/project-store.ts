/** Rows of `project_sessions`. No business rule. */
import { desc, eq } from 'drizzle-orm';
import type { ProjectSession } from '../../shared/schema/tasks/project.ts';
import type { Database } from '../db/database.ts';
import { projectSessions } from '../db/task-schema.ts';

type Row = typeof projectSessions.$inferSelect;

export class ProjectStore {
  readonly #query: Database['query'];

  constructor({ query }: Database) {
    this.#query = query;
  }

  insert({ id, project_path, created_at, updated_at }: ProjectSession): void {
    const row = { id, projectPath: project_path, createdAt: created_at, updatedAt: updated_at };
    this.#query.insert(projectSessions).values(row).run();
  }

  get(id: string): ProjectSession | null {
    const ofId = eq(projectSessions.id, id);
    return view(this.#query.select().from(projectSessions).where(ofId).get());
  }

  /** Directories, those of the newest projects first. */
  paths(limit: number): string[] {
    const newest = this.#query
      .select()
      .from(projectSessions)
      .orderBy(desc(projectSessions.createdAt));
    return newest
      .limit(limit)
      .all()
      .map(({ projectPath }) => projectPath);
  }

  /** Expects a real path. */
  ofPath(path: string): ProjectSession | null {
    const ofPath = eq(projectSessions.projectPath, path);
    return view(this.#query.select().from(projectSessions).where(ofPath).get());
  }
}

function view(row: Row | undefined): ProjectSession | null {
  if (row === undefined) return null;
  const { id, projectPath: project_path, createdAt: created_at, updatedAt: updated_at } = row;
  return { id, project_path, created_at, updated_at };
}
