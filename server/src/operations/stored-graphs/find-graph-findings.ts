import type { FindingsAnswer } from '../../../../protocol/findings.ts';
import { englishMapWords } from '../../../../protocol/map-words.ts';
import { readRunNotes } from '../../event-graph/read-run-notes.ts';
import { runNotesText } from '../../event-graph/run-notes-text.ts';
import { acceptStored } from '../../findings/accept-stored.ts';
import { type GraphFile, type ProjectContext, readGraphFile } from '../../project/open-project.ts';
import { lockDatabase } from '../../store/sandbox.ts';
import { graphMemoryLimit, openCodedGraphStore } from './open-graph-store.ts';
import { storedFindings } from './kept-findings.ts';
import { storedGraph } from './stored-graph.ts';

/** What is odd in the data of a graph. */
export interface FoundInGraph {
  readonly file: GraphFile;
  readonly answer: FindingsAnswer;
}

/**
 * What is odd in the data of the imported graph of an entity graph, with the text of the file. Rejects with an `OperationError`: `not-imported`, or
 * `graph-in-source` for a graph inside its source.
 */
export async function findGraphFindings(
  path: string,
  projectContext: ProjectContext,
  signal: AbortSignal,
): Promise<FoundInGraph> {
  const file = await readGraphFile(path, projectContext);
  const stored = await storedGraph(file, projectContext);
  const store = await openCodedGraphStore(stored, { memoryLimit: graphMemoryLimit });
  const options = { signal };
  try {
    await lockDatabase(store, { files: [], folders: [] });
    const notes = runNotesText(await readRunNotes(store, options), englishMapWords);
    const findings = await storedFindings(store, stored, options);
    return { file, answer: { ...(await acceptStored(findings, file.text, { store, options })), notes } };
  } finally {
    await store.close();
  }
}
