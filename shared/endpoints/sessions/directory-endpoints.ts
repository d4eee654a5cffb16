/** The directories below the roots, for starting loops. */
import { DirectoryListing, DirectoryQuery } from '../../schema/modules/directories.ts';
import type { Endpoint } from '../endpoint.ts';

export const DIRECTORY_ENDPOINTS = {
  listDirectories: {
    method: 'GET',
    path: '/api/directories',
    summary: 'List the subdirectories of a directory below the roots, or the roots; no files.',
    role: 'operator',
    query: DirectoryQuery,
    responses: { 200: DirectoryListing },
    errors: ['outside_roots', 'directory_missing', 'directory_unreadable'],
  },
} as const satisfies Record<string, Endpoint>;
