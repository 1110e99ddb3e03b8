import { writeFileAtomic } from '../../files/write-atomic.ts';
import { checkFileTarget } from '../../files/write-target.ts';

/**
 * Writes content to a path chosen by the user, such as an image or rows. Rejects with a `FileError`, or the file system
 * error.
 */
export async function saveFile(path: string, content: Uint8Array): Promise<void> {
  const { real } = await checkFileTarget(path);
  await writeFileAtomic(real, content);
}
