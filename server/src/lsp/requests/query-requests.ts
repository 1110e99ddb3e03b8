import type { Outcome } from '../../../../protocol/query-results.ts';
import { endsText } from '../../../../protocol/relationship-name.ts';
import type { QueryTargetView, queryRequests } from '../../../../protocol/requests/query-requests.ts';
import type { CanvasIntent } from '../../../../protocol/shapes/canvas-shapes.ts';
import type { Reported, WithUri } from '../../../../protocol/shapes/request-shape.ts';
import { masterDataName, relationshipName } from '../../model/entity-graph.ts';
import { createLineIndex } from '../../model/line-index.ts';
import type { ParsedEntityGraph } from '../../model/parse-model.ts';
import type { GraphFile } from '../../project/open-project.ts';
import type { Services } from '../../services.ts';
import type { LanguageServer } from '../language-server.ts';
import { draftedFile, placedInDraft } from './canvas-requests.ts';
import { readGraph } from './read-graph.ts';
import type { Handlers } from './request-handlers.ts';
import { operateOnFile } from './source-operations.ts';

interface QueryConditions {
  readonly limit?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly requestedAt: number;
  readonly onProgress: (step: string) => void;
}

/** Requests about the queries of elements and relationships. */
export function createQueryRequests(server: LanguageServer): Handlers<WithUri<typeof queryRequests>> {
  return {
    async 'entityGraph/queryTargets'({ uri }) {
      const graph = await readGraph(server, uri);
      return graph ? queryTargets(graph.parsed) : [];
    },
    'entityGraph/showQuery': ({ target, ...params }, signal) =>
      queryDraft(server, params, signal, (services, file, { timeoutMs: _, ...conditions }) =>
        services.showQuery(file, target, { signal, ...conditions }),
      ),
    'entityGraph/testQuery': ({ target, limit, ...params }, signal) =>
      queryDraft(server, params, signal, (services, file, conditions) =>
        services.testQuery(file, target, { signal, ...conditions, limit: limit ?? conditions.limit }),
      ),
    'entityGraph/previewJoin': ({ name, limit, ...params }, signal) =>
      queryDraft(server, params, signal, (services, file, conditions) =>
        services.previewJoin(file, name, { signal, ...conditions, limit: limit ?? conditions.limit }),
      ),
    'entityGraph/countJoin': ({ name, ...params }, signal) =>
      queryDraft(server, params, signal, (services, file, conditions) =>
        services.countJoin(file, name, { signal, ...conditions }),
      ),
  };
}

/** Runs a query of the file after applying an intent. */
async function queryDraft<T>(
  server: LanguageServer,
  { uri, draft, progressToken }: { readonly uri: string; readonly draft?: CanvasIntent | undefined } & Reported,
  signal: AbortSignal,
  query: (services: Services, file: GraphFile, conditions: QueryConditions) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const requestedAt = Date.now();
  const onProgress = server.reporting(progressToken);
  const { previewRows, queryTimeoutMs } = await server.settings(uri);
  const queryFile = async (file: GraphFile): Promise<Outcome<T>> => {
    const services = await server.services();
    const drafted = await draftedFile(file, draft);
    if (!drafted.ok) return drafted;
    const outcome = await query(services, drafted.value, {
      requestedAt,
      onProgress,
      limit: previewRows,
      timeoutMs: queryTimeoutMs,
    });
    return placedInDraft(outcome, drafted.value, draft);
  };
  return operateOnFile(server, uri, queryFile, { signal, afterReading: true, onStep: onProgress });
}

/** In file order; elements without an activity name cannot be addressed. */
function queryTargets({ graph, yaml }: ParsedEntityGraph): readonly QueryTargetView[] {
  const lines = createLineIndex(yaml.text);
  const elements = graph.elements.flatMap((element): QueryTargetView[] => {
    const name = element.activityName?.value;
    if (name === undefined) return [];
    const description = element.dataObject?.value ?? '';
    return [{ target: { kind: 'element', name }, label: name, description, range: lines.range(element.range) }];
  });
  const relationships = graph.relationships.map((relationship): QueryTargetView => {
    const name = relationshipName(relationship);
    const ends = endsText(relationship.source?.value, relationship.target?.value);
    return {
      target: { kind: 'relationship', name },
      label: name,
      description: relationship.name ? ends : '',
      range: lines.range(relationship.range),
    };
  });
  const entities = graph.entities.flatMap((entry): QueryTargetView[] => {
    const name = masterDataName(entry);
    if (name === undefined) return [];
    const description = entry.dataObject?.value ?? '';
    return [{ target: { kind: 'entities', name }, label: name, description, range: lines.range(entry.range) }];
  });
  return [...elements, ...entities, ...relationships];
}
