/** Task modules below the roots: list, read, create, and change the target. */
import { z } from 'zod';
import { ModuleId } from '../../schema/modules/module-facts.ts';
import {
  CreateModule,
  ModuleDetail,
  Modules,
  ModuleTarget,
  SaveTarget,
} from '../../schema/modules/modules.ts';
import type { Endpoint } from '../endpoint.ts';

const MODULE_BY_ID = { params: z.object({ id: ModuleId }), unknown: 'module_unknown' } as const;
const MAX_TARGET_BYTES = 512 * 1024;

export const MODULE_ENDPOINTS = {
  listModules: {
    method: 'GET',
    path: '/api/modules',
    summary: 'List the task modules below the roots with status and progress, by path.',
    role: 'viewer',
    responses: { 200: Modules },
    errors: [],
  },
  getModule: {
    method: 'GET',
    path: '/api/modules/:id',
    summary: 'Get a task module with the text of its files.',
    role: 'viewer',
    ...MODULE_BY_ID,
    responses: { 200: ModuleDetail },
    errors: ['module_unknown'],
  },
  createModule: {
    method: 'POST',
    path: '/api/modules',
    summary: 'Create a task module from a description; what exists is not overwritten.',
    role: 'operator',
    maxBytes: MAX_TARGET_BYTES,
    body: CreateModule,
    responses: { 201: ModuleDetail },
    errors: [
      'unsafe_task_dir',
      'outside_roots',
      'module_excluded',
      'directory_unreadable',
      'directory_missing',
      'module_exists',
    ],
  },
  saveModuleTarget: {
    method: 'PUT',
    path: '/api/modules/:id/target',
    summary: 'Replace the target, if it is still the version that was read.',
    role: 'operator',
    maxBytes: MAX_TARGET_BYTES,
    ...MODULE_BY_ID,
    body: SaveTarget,
    responses: { 200: ModuleTarget },
    errors: ['module_unknown', 'directory_unreadable', 'target_changed', 'target_not_editable'],
  },
} as const satisfies Record<string, Endpoint>;
