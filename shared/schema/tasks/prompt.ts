/** The prompt library: reusable task descriptions. */
import { z } from 'zod';
import { wholeNumberText } from './query-number.ts';

const Title = z.string().trim().min(1).max(200);
const Content = z.string().trim().min(1).max(50_000);
const Category = z.string().trim().max(100);
/** Comma-separated. */
const Tags = z.string().trim().max(500);
const CriteriaConfig = z.record(z.string(), z.unknown());

export const CreatePrompt = z.strictObject({
  title: Title,
  content: Content,
  category: Category.nullish(),
  tags: Tags.nullish(),
  criteria_config: CriteriaConfig.nullish(),
});
export type CreatePrompt = z.output<typeof CreatePrompt>;

/** Fields that are omitted or null stay unchanged. */
export const UpdatePrompt = z.strictObject({
  title: Title.nullish(),
  content: Content.nullish(),
  category: Category.nullish(),
  tags: Tags.nullish(),
  criteria_config: CriteriaConfig.nullish(),
});
export type UpdatePrompt = z.output<typeof UpdatePrompt>;

export const Prompt = z.object({
  id: z.string(),
  title: z.string(),
  content: z.string(),
  category: z.string().nullable(),
  tags: z.string().nullable(),
  criteria_config: CriteriaConfig.nullable(),
  usage_count: z.int(),
  last_used_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Prompt = z.infer<typeof Prompt>;

export const PromptQuery = z.strictObject({
  category: z.string().max(100).optional(),
  /** In title, content or tags, ignoring case. */
  search: z.string().max(200).optional(),
  limit: wholeNumberText(1, 1000).default(50),
});
export type PromptQuery = z.output<typeof PromptQuery>;
