import { createDebouncer, type Debouncer } from '../../../../protocol/debouncer.ts';
import type { LanguageNotifications } from '../../../../protocol/requests/notifications.ts';
import type { GraphView } from '../../../../protocol/graph-view.ts';
import type { GraphKnowledge, GraphNotes } from '../../language/graph-notes.ts';
import type { GraphContexts } from '../diagnostics/graph-contexts.ts';
import type { ValidatedGraphs } from '../diagnostics/validated-graphs.ts';
import { computeInSlices } from '../documents/compute-in-slices.ts';
import type { OpenDocuments, OpenGraph } from '../documents/open-documents.ts';

/** Announces changes of open graphs; those on a canvas include the new view, to save a request. */
export interface FollowedGraphs {
  follow(uri: string): void;
  unfollow(uri: string): void;
  changed(graph: OpenGraph): void;
  /** Problems or numbers of the last import may have changed, for one graph or all. */
  knowledgeChanged(uri?: string): void;
  /** The canvas view of an open graph; null when not open. */
  viewOf(uri: string, signal: AbortSignal): Promise<GraphView | null>;
}

interface Followed {
  readonly abort: AbortController;
  /** The view is being computed, always for the latest version. */
  isMaking: boolean;
  /** Notes of the latest validated version. */
  notes: GraphNotes | undefined;
  /** Computes new notes after a pause. */
  readonly noting: Debouncer;
}

interface FollowedGraphsDependencies {
  readonly documents: Pick<OpenDocuments, 'get' | 'whenRead' | 'problemsPriority'>;
  readonly announce: (changed: LanguageNotifications['entityGraph/graphChanged']) => void;
  readonly background: (work: () => Promise<void>) => void;
  /** Problems and the last import of the latest version of an open graph; undefined when not open. */
  readonly knowledgeOf: (uri: string) => Promise<KnownGraph | undefined>;
}

interface KnownGraph {
  readonly document: OpenGraph;
  readonly knowledge: GraphKnowledge;
}

/** Pause in changes, in milliseconds, before problems are shown on the canvas. */
const notingDelayMs = 250;

export function createFollowedGraphs({
  documents,
  announce,
  background,
  knowledgeOf,
}: FollowedGraphsDependencies): FollowedGraphs {
  const followed = new Map<string, Followed>();

  async function viewOf(uri: string, signal: AbortSignal): Promise<GraphView | null> {
    const view = await plainView(documents, uri, signal);
    if (!view) return null;
    const own = followed.get(uri);
    own?.noting.schedule();
    if (!own?.notes) return view;
    const { withNotes } = await import('../../language/graph-notes.ts');
    return withNotes(view, own.notes);
  }

  async function send({ uri, version }: OpenGraph, own: Followed): Promise<void> {
    const { signal } = own.abort;
    own.isMaking = true;
    try {
      const view = await viewOf(uri, signal);
      if (view) announce({ uri, version: view.version, view });
    } catch (error) {
      // Without the view, canvases of the file request it, and show the error.
      announce({ uri, version });
      if (!signal.aborted) throw error;
    } finally {
      own.isMaking = false;
    }
  }

  /** Announces the view again if its notes are others than before. */
  async function note(uri: string, own: Followed): Promise<void> {
    const { signal } = own.abort;
    const known = await knowledgeOf(uri);
    if (!known || signal.aborted) return;
    const view = await plainView(documents, uri, signal);
    // A newer version gets its own notes.
    if (!view || view.version !== known.document.version) return;
    const { graphNotes, withNotes } = await import('../../language/graph-notes.ts');
    const notes = graphNotes(view, known.document.parsed, known.knowledge);
    const before = own.notes;
    own.notes = notes;
    if (before && isSame(before, notes)) return;
    announce({ uri, version: view.version, view: withNotes(view, notes) });
  }

  return {
    follow(uri) {
      if (followed.has(uri)) return;
      const own: Followed = {
        abort: new AbortController(),
        isMaking: false,
        notes: undefined,
        noting: createDebouncer(notingDelayMs, () =>
          background(() =>
            note(uri, own).catch((error: unknown) => {
              if (!own.abort.signal.aborted) throw error;
            }),
          ),
        ),
      };
      followed.set(uri, own);
    },
    unfollow(uri) {
      const own = followed.get(uri);
      own?.noting.cancel();
      own?.abort.abort(new Error('No canvas shows the graph any more.'));
      followed.delete(uri);
    },
    changed(graph) {
      const own = followed.get(graph.uri);
      if (!own) announce({ uri: graph.uri, version: graph.version });
      else if (!own.isMaking) background(() => send(graph, own));
    },
    knowledgeChanged(uri) {
      for (const [each, own] of followed) if (uri === undefined || uri === each) own.noting.schedule();
    },
    viewOf,
  };
}

async function plainView(
  documents: FollowedGraphsDependencies['documents'],
  uri: string,
  signal: AbortSignal,
): Promise<GraphView | undefined> {
  const { viewingGraph } = await import('../../language/to-graph-view.ts');
  const view = await computeInSlices(documents, uri, signal, function* (document) {
    return document.kind === 'graph' ? yield* viewingGraph(document.parsed, document) : undefined;
  });
  return view ?? undefined;
}

function isSame(one: GraphNotes, other: GraphNotes): boolean {
  const text = ({ imported, elements, relationships }: GraphNotes): string =>
    JSON.stringify([imported ?? null, [...elements], [...relationships]]);
  return text(one) === text(other);
}

/** The problems of the latest version of an open graph and its last import; undefined when not open. */
export async function graphKnowledge(
  uri: string,
  validatedGraphs: ValidatedGraphs,
  contexts: Pick<GraphContexts, 'sourceOf'>,
): Promise<KnownGraph | undefined> {
  const diagnosed = await validatedGraphs.of(uri);
  if (!diagnosed) return undefined;
  const { document, problems } = diagnosed;
  const { importedText } = await import('../../operations/imports/imported-counts.ts');
  const sourcesFile = contexts.sourceOf(document)?.sourcesFile;
  const last = sourcesFile && document.path !== undefined ? await importedText(document.path, sourcesFile) : undefined;
  if (!last) return { document, knowledge: { problems } };
  const { text, counts } = last;
  const isModifiedSince = text !== undefined && text !== document.text;
  return { document, knowledge: { problems, imported: { isModifiedSince, counts } } };
}
