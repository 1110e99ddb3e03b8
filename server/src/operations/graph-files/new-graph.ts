import { newText } from '../../model/edits/new-text.ts';
import { type Catalog, type DataObject, findDataObject } from '../../catalog/catalog.ts';
import { checkNewFile } from '../../files/write-target.ts';
import { scaffoldGraph } from '../../language/scaffold-graph.ts';
import { nearestName } from '../../model/nearest-name.ts';
import {
  type ProjectSurroundings,
  type SourcesFile,
  connectorOf,
  describeSource,
  findSource,
} from '../../project/open-project.ts';
import { checkName, writeNew } from './copy-graph.ts';
import { OperationError } from '../operation-error.ts';

export interface NewGraphOptions {
  /** Names of data objects; default: all of the source. */
  readonly objects?: readonly string[];
  /** Name of the graph; default: that of its source. */
  readonly name?: string;
  readonly output: string;
  readonly signal: AbortSignal;
}

/** Writes a new graph from a source's timestamps and foreign keys; returns the omitted objects. */
export async function newGraph(
  sourcesFile: SourcesFile,
  dataSource: string,
  { objects, name = dataSource, output, signal }: NewGraphOptions,
  surroundings: ProjectSurroundings,
): Promise<readonly string[]> {
  checkName(output);
  await checkNewFile(output);
  const source = findSource(sourcesFile, dataSource);
  const connector = await connectorOf(sourcesFile, source, surroundings);
  try {
    const catalog = await describeSource(sourcesFile, source, connector, { signal });
    const { text, leftOut } = scaffoldGraph(name, catalog, chosenObjects(catalog, objects));
    await writeNew(output, text, surroundings);
    return leftOut;
  } finally {
    await connector.close();
  }
}

/** Writes a graph without elements. */
export async function newEmptyGraph(
  output: string,
  { name, dataSource }: { readonly name: string; readonly dataSource: string },
  surroundings: ProjectSurroundings,
): Promise<void> {
  checkName(output);
  await checkNewFile(output);
  // JSON strings are valid YAML, so any name is safe.
  const text = `version: 1\nname: ${JSON.stringify(name)}\ndataSource: ${JSON.stringify(dataSource)}\n`;
  await writeNew(output, newText({ version: 1, name, dataSource }, text), surroundings);
}

function chosenObjects(catalog: Catalog, names: readonly string[] | undefined): readonly DataObject[] {
  if (!names) return catalog.objects;
  return names.map((name) => {
    const object = findDataObject(catalog, name);
    if (object) return object;
    const nearest = nearestName(
      name,
      catalog.objects.map((each) => each.name),
    );
    throw new OperationError({
      code: 'unknown-data-object',
      message: `${name} is not a data object of ${catalog.dataSource}.`,
      ...(nearest === undefined ? {} : { remedy: `Did you mean ${nearest}?` }),
    });
  });
}
