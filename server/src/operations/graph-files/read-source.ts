import { type Catalog, type DataObject, findDataObject } from '../../catalog/catalog.ts';
import { sourceKind } from '../../connectors/source-kinds.ts';
import { type OmittedObject, draftable } from '../../draft/draft-choice.ts';
import type { DraftElement, DraftModel } from '../../draft/draft-model.ts';
import type { SourceCounts } from '../../draft/source-counts.ts';
import type { TableInput } from '../../draft/table-sample.ts';
import { nearestName } from '../../model/nearest-name.ts';
import {
  type ProjectContext,
  type SourcesFile,
  connectorOf,
  describeSource,
  findSource,
} from '../../project/open-project.ts';
import { OperationError } from '../operation-error.ts';
import { countKeys } from './count-keys.ts';
import { readSamples } from './read-samples.ts';

interface ReadSourceOptions {
  /** Names of data objects of the draft; default: all of the source. */
  readonly objects?: readonly string[] | undefined;
  /** Names of data objects of this source, in place of `objects`. */
  readonly ownObjects?: readonly string[] | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: ((message: string) => void) | undefined;
  /** The data source of the file. */
  readonly isFirst: boolean;
  /** The draft has no other data source. */
  readonly isAlone: boolean;
  /** Names of data objects of the sources before. */
  readonly taken: ReadonlySet<string>;
}

/** What is read of one data source of a draft. */
export interface SourcePart {
  readonly catalog: Catalog;
  readonly inputs: readonly TableInput[];
  readonly counts: SourceCounts;
  readonly special: ReadonlyMap<string, DraftElement>;
  /** The graph that the source contains. */
  readonly whole?: DraftModel | undefined;
  readonly leftOut: readonly OmittedObject[];
  readonly warnings: readonly string[];
  /** Names that the user gave and the source has. */
  readonly named: ReadonlySet<string>;
}

/** Reads what a draft needs of a data source: its data objects with samples, and what it counts of them. */
export async function readSource(
  sourcesFile: SourcesFile,
  dataSource: string,
  { objects, ownObjects, signal, onProgress, isFirst, isAlone, taken }: ReadSourceOptions,
  projectContext: ProjectContext,
): Promise<SourcePart> {
  const source = findSource(sourcesFile, dataSource);
  const connector = await connectorOf(sourcesFile, source, projectContext);
  try {
    const catalog = await describeSource(sourcesFile, source, connector, projectContext, { signal });
    const { warnings, dialect } = catalog;
    const known = objects?.filter((name) => findDataObject(catalog, name));
    const chosen = chosenObjects(catalog, ownObjects ?? (isAlone ? objects : known));
    const part = { catalog, warnings, leftOut: chosen.leftOut, named: new Set(known) };
    const noCounts = { shares: new Map<string, number>(), repeated: new Set<string>() };
    const whole = await connector.proposeGraph?.({ signal });
    if (whole && !isAlone) throw noPartOfOthers(dataSource);
    if (whole) {
      // Chosen data objects are used completely, without the usual omissions of a first graph.
      const inputs = (objects ? chosen.objects : catalog.objects).map((object) => ({ object }));
      return { ...part, leftOut: [], whole, inputs, counts: noCounts, special: new Map() };
    }
    const read = await readSamples(connector, catalog, chosen.objects, { signal, onProgress, isAlone });
    const rename = (name: string): string => uniqueName(name, dataSource, taken);
    const inputs = read.map(({ object, sample }): TableInput => {
      const place = isFirst ? undefined : { dataSource, dialect, name: object.name };
      return { object: isFirst ? object : renamedObject(object, rename), sample, place };
    });
    const counts = await countKeys(connector, catalog, inputs, { signal, onProgress });
    const special = new Map(
      [...specialElements(catalog, chosen.objects)].map(([name, element]) => [
        rename(name),
        { ...element, dataObject: rename(name) },
      ]),
    );
    return { ...part, inputs, counts, special };
  } finally {
    await connector.close();
  }
}

/** A name that no data object of the sources before has. */
function uniqueName(name: string, dataSource: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? uniqueName(`${dataSource}.${name}`, dataSource, taken) : name;
}

function renamedObject(object: DataObject, rename: (name: string) => string): DataObject {
  const foreignKeys = object.foreignKeys.map(({ references, ...key }) => ({
    ...key,
    references: { ...references, dataObject: rename(references.dataObject) },
  }));
  return { ...object, name: rename(object.name), foreignKeys };
}

/** An event log says what its graph is, and nothing is guessed about it. */
function noPartOfOthers(dataSource: string): OperationError {
  return new OperationError({
    code: 'unknown-data-object',
    message: `${dataSource} is an event log, which cannot be drafted together with other data sources.`,
    remedy: `Write its own graph with entity-graph new ${dataSource}, and add its elements to the other graph.`,
  });
}

function specialElements(catalog: Catalog, objects: readonly DataObject[]): ReadonlyMap<string, DraftElement> {
  const special = sourceKind(catalog.kind)?.scaffoldElement;
  return new Map(
    objects.flatMap((object) => {
      const element = special?.(object, objects);
      if (!element) return [];
      const { startTimestamp, key, ...rest } = element;
      const drafted: DraftElement = {
        ...rest,
        key: key === undefined ? undefined : [key],
        start: { column: startTimestamp },
        objects: [],
        reasons: {},
      };
      return [[object.name, drafted] as const];
    }),
  );
}

function chosenObjects(catalog: Catalog, names: readonly string[] | undefined): ReturnType<typeof draftable> {
  if (!names) return draftable(catalog);
  const objects = names.map((name) => {
    const object = findDataObject(catalog, name);
    if (object) return object;
    throw unknownObject(name, [catalog]);
  });
  return { objects, leftOut: [] };
}

export function unknownObject(name: string, catalogs: readonly Catalog[]): OperationError {
  const missing = catalogs.flatMap(({ undescribed = [] }) => undescribed).find((each) => each.name === name);
  const nearest = nearestName(
    name,
    catalogs.flatMap(({ objects }) => objects.map((each) => each.name)),
  );
  return new OperationError({
    code: 'unknown-data-object',
    message: `${name} is not a data object of ${catalogs.map(({ dataSource }) => dataSource).join(' or ')}.`,
    ...(missing ? { remedy: missing.reason } : nearest === undefined ? {} : { remedy: `Did you mean ${nearest}?` }),
  });
}
