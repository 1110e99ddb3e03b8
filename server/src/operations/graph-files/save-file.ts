import { writeFileAtomic } from '../../files/write-atomic.ts';
import { checkFileTarget } from '../../files/write-target.ts';

/** Writes what a person has chosen a place for, such as a picture or rows. Rejects with a `FileError`, or the error of the file system. */
export async function saveFile(path: string, content: Uint8Array): Promise<void> {
  const { real } = await checkFileTarget(path);
  await writeFileAtomic(real, content);
}
