import { createBackgroundValidator } from '../sql/background-validator.ts';
import type { Client } from './client.ts';
import { createDiagnostics } from './diagnostics/diagnostics.ts';
import { createDocumentProblems } from './diagnostics/document-problems.ts';
import { createValidatedGraphs } from './diagnostics/validated-graphs.ts';
import { createOpeningGate } from './documents/opening-gate.ts';
import type { Knowledge, KnowledgeChanges } from './knowledge.ts';
import { createFollowedGraphs, graphKnowledge } from './requests/followed-graphs.ts';

/** All that follows from knowledge and is sent without a request: problems, and graphs shown on a canvas. */
export type Answers = ReturnType<typeof createAnswers>;

export function createAnswers(client: Client, knowledge: Knowledge) {
  const { connection, background, log, abilities } = client;
  const { documents, contexts, tests, catalogs, uses } = knowledge;
  const opening = createOpeningGate();
  const duckdb = createBackgroundValidator(
    async (question) => {
      await opening.allPassed;
      return knowledge.duckdb.askSql(question);
    },
    () => {
      for (const { uri, kind } of documents.all()) if (kind === 'graph') diagnostics.contextChanged(uri);
      followed.knowledgeChanged();
    },
  );
  const validatedGraphs = createValidatedGraphs({ documents, contexts, duckdb });
  const graphs = validatedGraphs;
  const forms = () => abilities().forms;
  const diagnostics = createDiagnostics({
    problems: createDocumentProblems({ documents, contexts, tests, graphs, catalogs, uses, forms }),
    connection,
    documents,
    opening,
    graphs,
    duckdb,
    log,
    mode: () => abilities().diagnostics,
  });
  const followed = createFollowedGraphs({
    documents,
    background,
    announce: (changed) => client.notify('entityGraph/graphChanged', changed),
    knowledgeOf: (uri) => graphKnowledge(uri, validatedGraphs, contexts),
  });
  const changes: KnowledgeChanges = {
    graphChanged(uri) {
      diagnostics.contextChanged(uri);
      followed.knowledgeChanged(uri);
      client.hintsChanged();
    },
    fileChanged: (uri) => diagnostics.contextChanged(uri),
  };
  return { opening, duckdbValidator: duckdb.validator, validatedGraphs, diagnostics, followed, changes };
}
