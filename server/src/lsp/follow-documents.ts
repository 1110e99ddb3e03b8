import type { Answers } from './answers.ts';
import type { Client } from './client.ts';
import type { OpenDocument } from './documents/open-documents.ts';
import { pathOfUri } from './file-uri.ts';
import type { Knowledge } from './knowledge.ts';
import { createMemoryRelease } from './release-memory.ts';

/** Passes opened, changed and closed documents on to everything that depends on them. */
export function followDocuments(client: Client, knowledge: Knowledge, answers: Answers): void {
  const { documents, contexts, tests, uses, references, fileChanges, knownSettings } = knowledge;
  const { opening, diagnostics, followed } = answers;

  function documentChanged(document: OpenDocument): void {
    diagnostics.documentChanged(document.uri, document.cameAt);
    uses.documentChanged(document);
    references.documentChanged(document);
    if (document.kind === 'sources') return fileChanges.sourcesChanged();
    if (document.kind === 'tests') return tests.follow(document);
    tests.graphsChanged([document.path]);
    followed.changed(document);
    client.background(async () => {
      await opening.allPassed;
      await contexts.follow(document);
    });
  }

  const memory = createMemoryRelease();
  documents.onChanged((document) => {
    if (document.isNew) memory.opened(document.text);
    else memory.changed(document.text);
    // Without a refresh, the first response is the only one until the next change.
    if (document.isNew && document.kind === 'graph' && client.abilities().diagnostics !== 'pull without refresh')
      opening.opened(document.uri, document.text);
    documentChanged(document);
  });
  documents.onClosed((uri, kind) => {
    diagnostics.closed(uri);
    knownSettings.forget(uri);
    contexts.forget(uri);
    if (kind === 'tests') tests.forget(uri);
    // Unsaved changes of a graph are discarded with it.
    if (kind === 'graph') tests.graphsChanged([pathOfUri(uri)]);
    followed.unfollow(uri);
    uses.documentClosed(uri);
    // Unsaved changes of a sources file are discarded with it.
    if (kind === 'sources') fileChanges.sourcesChanged();
  });
}
