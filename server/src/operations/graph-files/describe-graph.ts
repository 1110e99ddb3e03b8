import type { ElementValues, MasterDataValues, RelationshipValues } from '../../../../protocol/canvas-intents.ts';
import { dataSourceNamed } from '../../model/data-sources-used.ts';
import { elementValues, masterDataValues, relationshipValues } from '../../model/entry-values.ts';
import { parseEntityGraph } from '../../model/parse-model.ts';
import { type GraphFile, type ProjectContext, findSources } from '../../project/open-project.ts';
import type { EntityStatus } from '../../state/entity-status.ts';
import { readStatus } from '../../state/status-file.ts';
import { entityPlace } from '../imports/entity-place.ts';
import { refuseUnreadable } from '../imports/import-plan.ts';

/** What a text defines, and what its last import has counted. */
interface GraphDescription {
  readonly file: string;
  readonly name: string | null;
  readonly description?: string;
  readonly dataObjects: readonly { readonly name: string; readonly dataSource?: string | undefined }[];
  readonly elements: readonly ElementValues[];
  readonly entities: readonly MasterDataValues[];
  readonly relationships: readonly RelationshipValues[];
  readonly rules: readonly NamedEntry[];
  readonly measures: readonly NamedEntry[];
  readonly engine: 'embedded' | 'source';
  /** Absent before the first import. */
  readonly imported?: Pick<EntityStatus, 'imported' | 'counts' | 'slice'> & { readonly isModifiedSince: boolean };
}

interface NamedEntry {
  readonly name: string | null;
  readonly description?: string;
}

/** Describes an entity graph. Rejects with an `OperationError` for a text that cannot be read. */
export async function describeGraph(file: GraphFile, projectContext: ProjectContext): Promise<GraphDescription> {
  refuseUnreadable(file);
  const { graph } = parseEntityGraph(file.text);
  const sourcesFile = await findSources(file.path, projectContext);
  const place = sourcesFile && entityPlace(file, sourcesFile);
  const status = place && (await readStatus(place.stateFolder, place.entity));
  return {
    file: file.path,
    ...named(graph),
    dataObjects: graph.dataObjects.map((object) => ({
      name: object.value,
      dataSource: dataSourceNamed(graph, object),
    })),
    elements: graph.elements.map(elementValues),
    entities: graph.entities.map(masterDataValues),
    relationships: graph.relationships.map(relationshipValues),
    rules: graph.rules.map(named),
    measures: graph.measures.map(named),
    engine: graph.import.engine,
    ...(status?.imported !== undefined && {
      imported: {
        imported: status.imported,
        ...(status.counts && { counts: status.counts }),
        ...(status.slice && { slice: status.slice }),
        isModifiedSince: status.text !== undefined && status.text !== file.text,
      },
    }),
  };
}

interface Named {
  readonly name?: { readonly value: string };
  readonly description?: { readonly value: string };
}

function named({ name, description }: Named): NamedEntry {
  return { name: name?.value ?? null, ...(description && { description: description.value }) };
}
