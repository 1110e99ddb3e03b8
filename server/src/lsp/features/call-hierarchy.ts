import type {
  CallHierarchyIncomingCall,
  CallHierarchyIncomingCallsParams,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
  CallHierarchyOutgoingCallsParams,
  CallHierarchyPrepareParams,
  SymbolKind,
} from 'vscode-languageserver/node';
import type { EntitySource } from '../../model/entity-graph.ts';
import type { Direction } from '../../language/call-hierarchy.ts';
import type { LanguageServer } from '../language-server.ts';
import { type OpenGraph, openGraph } from '../documents/open-documents.ts';
import type { RequestWork } from '../request-guard.ts';
import { symbolKindOf } from './document-symbols.ts';

/** Call hierarchy of an element: incoming and outgoing relationships. */
interface CallHierarchy {
  readonly prepare: RequestWork<CallHierarchyPrepareParams, CallHierarchyItem[] | null>;
  readonly incoming: RequestWork<CallHierarchyIncomingCallsParams, CallHierarchyIncomingCall[]>;
  readonly outgoing: RequestWork<CallHierarchyOutgoingCallsParams, CallHierarchyOutgoingCall[]>;
}

export function createCallHierarchy({ documents, abilities }: LanguageServer): CallHierarchy {
  const kind = (): SymbolKind => symbolKindOf('element', abilities().forms.symbolKinds);

  /** The related elements of a hierarchy item, which is looked up by name, because the text may have changed. */
  async function beside({ uri, name }: CallHierarchyItem, direction: Direction): Promise<readonly Beside[]> {
    const { relatedElements } = await import('../../language/call-hierarchy.ts');
    const document = openGraph(documents, uri);
    if (!document) return [];
    const related = relatedElements(document.parsed.graph, name, direction);
    return Promise.all(
      related.map(async ({ element, names, places }) => ({
        item: await toItem(document, element, names, kind()),
        fromRanges: places.map((range) => document.lines.range(range)),
      })),
    );
  }

  return {
    async prepare({ textDocument, position }) {
      const { elementNamedAt } = await import('../../language/call-hierarchy.ts');
      const document = openGraph(documents, textDocument.uri);
      const element = document && elementNamedAt(document.parsed.graph, document.lines.offset(position));
      return document && element ? [await toItem(document, element, [], kind())] : null;
    },
    incoming: async ({ item }) =>
      (await beside(item, 'incoming')).map(({ item: from, fromRanges }) => ({ from, fromRanges })),
    outgoing: async ({ item }) =>
      (await beside(item, 'outgoing')).map(({ item: to, fromRanges }) => ({ to, fromRanges })),
  };
}

interface Beside {
  readonly item: CallHierarchyItem;
  readonly fromRanges: CallHierarchyIncomingCall['fromRanges'];
}

/** An element, or an entry of `entities`, with its data object, or with the names of the relationships that lead to it. */
async function toItem(
  { uri, lines }: OpenGraph,
  element: EntitySource,
  through: readonly string[],
  kind: SymbolKind,
): Promise<CallHierarchyItem> {
  const { elementEntry, masterDataEntry } = await import('../../language/document-symbols.ts');
  const { name, detail, range, selectionRange } =
    'isMasterData' in element ? masterDataEntry(element) : elementEntry(element);
  const said = through.length > 0 ? through.join(', ') : detail;
  return {
    name,
    uri,
    kind,
    range: lines.range(range),
    selectionRange: lines.range(selectionRange),
    ...(said === undefined ? {} : { detail: said }),
  };
}
