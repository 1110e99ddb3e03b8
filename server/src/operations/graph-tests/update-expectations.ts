import { writeFileAtomic } from '../../files/write-atomic.ts';
import type { GraphTestReport } from './test-report.ts';

/**
 * Writes actual results into the failed expectations of a file; everything else is unchanged. Resolves to the number of
 * changed expectations. Rejects with a `FileError`.
 */
export async function updateExpectations({ path, text, tests }: GraphTestReport): Promise<number> {
  const updates = tests.flatMap(({ failures }) => failures.flatMap(({ edits }) => (edits ? [edits] : [])));
  if (updates.length === 0) return 0;
  const edits = updates.flat().toSorted((left, right) => right.start - left.start);
  const updated = edits.reduce((all, edit) => all.slice(0, edit.start) + edit.text + all.slice(edit.end), text);
  await writeFileAtomic(path, updated);
  return updates.length;
}
