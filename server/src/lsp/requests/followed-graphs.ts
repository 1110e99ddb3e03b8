import type { LanguageNotifications } from '../../../../protocol/language-requests.ts';
import type { GraphView } from '../../../../protocol/graph-view.ts';
import { answerInTurns } from '../documents/answer-in-turns.ts';
import type { OpenDocuments, OpenGraph } from '../documents/open-documents.ts';

/** Announces changes of open graphs; those on a canvas include the new view, to save a request. */
export interface FollowedGraphs {
  follow(uri: string): void;
  unfollow(uri: string): void;
  changed(graph: OpenGraph): void;
  /** The canvas view of an open graph; null when not open. */
  viewOf(uri: string, signal: AbortSignal): Promise<GraphView | null>;
}

interface Followed {
  readonly abort: AbortController;
  /** The view is being computed, always for the latest version. */
  isMaking: boolean;
}

export interface FollowSurroundings {
  readonly documents: Pick<OpenDocuments, 'get' | 'whenRead'>;
  readonly announce: (changed: LanguageNotifications['entityGraph/graphChanged']) => void;
  readonly background: (work: () => Promise<void>) => void;
}

export function createFollowedGraphs({ documents, announce, background }: FollowSurroundings): FollowedGraphs {
  const followed = new Map<string, Followed>();

  async function viewOf(uri: string, signal: AbortSignal): Promise<GraphView | null> {
    const { viewingGraph } = await import('../../language/to-graph-view.ts');
    const view = await answerInTurns(documents, uri, signal, function* (document) {
      return document.kind === 'graph' ? yield* viewingGraph(document.parsed, document) : null;
    });
    return view ?? null;
  }

  async function send({ uri, version }: OpenGraph, own: Followed): Promise<void> {
    const { signal } = own.abort;
    own.isMaking = true;
    try {
      const view = await viewOf(uri, signal);
      if (view) announce({ uri, version: view.version, view });
    } catch (error) {
      // Another canvas of the file then requests the view, or this one, which shows the error.
      announce({ uri, version });
      if (!signal.aborted) throw error;
    } finally {
      own.isMaking = false;
    }
  }

  return {
    follow: (uri) => void (followed.has(uri) || followed.set(uri, { abort: new AbortController(), isMaking: false })),
    unfollow(uri) {
      followed.get(uri)?.abort.abort(new Error('No canvas shows the graph any more.'));
      followed.delete(uri);
    },
    changed(graph) {
      const own = followed.get(graph.uri);
      if (!own) announce({ uri: graph.uri, version: graph.version });
      else if (!own.isMaking) background(() => send(graph, own));
    },
    viewOf,
  };
}
