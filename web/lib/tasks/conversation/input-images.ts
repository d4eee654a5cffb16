/** Pictures that go along with words: what fits, and how it travels. */
import type { TaskImage } from '$shared/schema/tasks/task-input.ts';

/** As the contract has it. */
const MAX_IMAGES = 5;
const MAX_IMAGE_CHARACTERS = 2_000_000;
/** Of the file: it grows by a third on its way. */
export const MAX_IMAGE_BYTES = (MAX_IMAGE_CHARACTERS / 4) * 3;

type MediaType = TaskImage['media_type'];
export const IMAGE_TYPES: readonly MediaType[] = [
  ...(['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const),
];

export interface AttachedImage extends TaskImage {
  id: number;
  name: string;
  bytes: number;
}

/** Takes a file and how many images there are already; gives why it cannot go along, or null. */
export function imageProblem(
  { name, type, size }: Pick<File, 'name' | 'type' | 'size'>,
  already: number,
): string | null {
  if (!IMAGE_TYPES.some((known) => known === type)) {
    return `${name} is not a PNG, JPEG, GIF or WebP.`;
  }
  if (size > MAX_IMAGE_BYTES) return `${name} is larger than 1.4 MB. Make it smaller first.`;
  if (size === 0) return `${name} is empty.`;
  return already < MAX_IMAGES ? null : `${name} was not added: ${MAX_IMAGES} images at most.`;
}

/** Takes a file that fits; gives its bytes as text. */
export async function readBase64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const STEP = 0x8000;
  let binary = '';
  for (let at = 0; at < bytes.length; at += STEP) {
    binary += String.fromCharCode(...bytes.subarray(at, at + STEP));
  }
  return btoa(binary);
}
