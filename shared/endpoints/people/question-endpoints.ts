/** Rules for questions that no person answers. */
import { z } from 'zod';
import {
  QuestionRule,
  QuestionRulePage,
  QuestionTrial,
  SetQuestionRule,
  SwitchQuestionRule,
} from '../../schema/attention/question-rule.ts';
import type { Endpoint } from '../endpoint.ts';

const IdParams = z.object({ id: z.string().regex(/^[1-9]\d{0,14}$/) });

export const QUESTION_ENDPOINTS = {
  listQuestionRules: {
    method: 'GET',
    path: '/api/question-rules',
    summary: 'List the rules for questions that no person answers.',
    role: 'viewer',
    responses: { 200: QuestionRulePage },
    errors: [],
  },
  setQuestionRule: {
    method: 'PUT',
    path: '/api/question-rules',
    summary: 'Set the rule of a scope and kind; it is off until it was tried and switched on.',
    role: 'operator',
    body: SetQuestionRule,
    responses: { 200: QuestionRule },
    errors: [],
  },
  tryQuestionRule: {
    method: 'POST',
    path: '/api/question-rules/:id/try',
    summary: 'Show what a rule would have done with past questions.',
    role: 'operator',
    params: IdParams,
    unknown: 'rule_unknown',
    responses: { 200: QuestionTrial },
    errors: ['rule_unknown'],
  },
  switchQuestionRule: {
    method: 'POST',
    path: '/api/question-rules/:id/switch',
    summary: 'Switch a rule on, once it was tried, or off.',
    role: 'operator',
    params: IdParams,
    unknown: 'rule_unknown',
    body: SwitchQuestionRule,
    responses: { 200: QuestionRule },
    errors: ['rule_unknown', 'rule_not_tried'],
  },
  removeQuestionRule: {
    method: 'DELETE',
    path: '/api/question-rules/:id',
    summary: 'Remove a rule.',
    role: 'operator',
    params: IdParams,
    unknown: 'rule_unknown',
    responses: { 200: z.object({ id: z.int() }) },
    errors: ['rule_unknown'],
  },
} as const satisfies Record<string, Endpoint>;
