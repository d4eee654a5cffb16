/** Where a program is that a shell would start by its name. */
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Takes a program and a PATH; gives the first file a shell would run for it, or null. */
export function findProgram(program: string, path: string): string | null {
  const places = isAbsolute(program)
    ? [program]
    : path.split(delimiter).map((directory) => join(directory, program));
  return places.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
