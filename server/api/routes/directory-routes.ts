import type { DIRECTORY_ENDPOINTS } from '../../../shared/endpoints/directory-endpoints.ts';
import type { Directories } from '../../projects/directories.ts';
import type { Handlers } from '../endpoint-handler.ts';

/** The directories a loop may be started on. */
export function directoryRoutes({
  directories,
}: {
  directories: Directories;
}): Handlers<keyof typeof DIRECTORY_ENDPOINTS> {
  return {
    listDirectories: async ({ query }) => ({ status: 200, body: await directories.list(query) }),
  };
}
