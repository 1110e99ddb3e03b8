import type { Steps } from '../../model/steps.ts';
import type { OpenDocument, OpenDocuments } from './open-documents.ts';
import { createTimeSlices } from '../../project/time-slices.ts';
import { unlessAborted } from '../request-guard.ts';

/**
 * Computes an answer about a whole document in time slices, and restarts for a newer version. The problems after a
 * keystroke go first. Undefined when the document was closed; rejects on cancellation.
 */
export async function computeInSlices<Answer>(
  documents: Pick<OpenDocuments, 'get' | 'whenRead' | 'problemsPriority'>,
  uri: string,
  signal: AbortSignal,
  work: (document: OpenDocument) => Steps<Answer>,
): Promise<Answer | undefined> {
  const slices = createTimeSlices();
  const passed = async (): Promise<void> => {
    const { problemsSent } = documents.problemsPriority;
    if (problemsSent) await unlessAborted(problemsSent, signal);
  };
  const latest = () => unlessAborted(documents.whenRead(uri), signal);
  await passed();
  for (let document = await latest(); document; document = await latest()) {
    const steps = work(document);
    for (let isLatest = true; isLatest; isLatest = documents.get(uri) === document) {
      const { done, value } = steps.next();
      if (done) return value;
      if (!slices.isTimeUp()) continue;
      await slices.pause();
      await passed();
      signal.throwIfAborted();
    }
  }
  return undefined;
}
