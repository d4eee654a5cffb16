/** Images attached to a message: limits and encoding. */
import type { TaskImage } from '$shared/schema/tasks/task-input.ts';

/** As in the contract. */
const MAX_IMAGES = 5;
const MAX_IMAGE_CHARACTERS = 2_000_000;
/** Of the file: base64 makes it a third larger. */
export const MAX_IMAGE_BYTES = (MAX_IMAGE_CHARACTERS / 4) * 3;

type MediaType = TaskImage['media_type'];
export const IMAGE_TYPES: readonly MediaType[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
];

export interface AttachedImage extends TaskImage {
  id: number;
  name: string;
  bytes: number;
}

/** Why the file cannot be attached, or null. */
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

export async function readBase64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const STEP = 0x8000;
  let binary = '';
  for (let at = 0; at < bytes.length; at += STEP) {
    binary += String.fromCharCode(...bytes.subarray(at, at + STEP));
  }
  return btoa(binary);
}
