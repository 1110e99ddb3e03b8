import type { Catalog } from '../catalog/catalog.ts';
import { isSourceError } from '../connectors/source-error.ts';
import { diagnoseDataSources, diagnoseEntityGraph } from '../language/diagnose.ts';
import { parseEntityGraph } from '../model/parse-model.ts';
import type { Problem } from '../model/problem.ts';
import {
  type ProjectSurroundings,
  type SourcesFile,
  cachedCatalog,
  connectorOf,
  describeSource,
  findSources,
  readGraphFile,
} from '../project/open-project.ts';
import { sqlSyntaxOf } from '../sql/sql-syntax-of.ts';
import { sourcesFileNames } from '../project/find-sources.ts';
import { basename } from 'node:path';

export interface ValidatedFile {
  readonly path: string;
  readonly text: string;
  readonly problems: readonly Problem[];
  /** What could not be checked and why; not a fault of the file. */
  readonly notes: readonly string[];
}

/**
 * Diagnostics of one entity graph or sources file on disk. With `online` the source is asked for its catalog; without,
 * the cached catalog serves, and files, which are at hand, are read.
 */
export async function validateFile(
  path: string,
  surroundings: ProjectSurroundings,
  options: { readonly online: boolean; readonly signal?: AbortSignal },
): Promise<ValidatedFile> {
  const file = await readGraphFile(path, surroundings);
  if ((sourcesFileNames as readonly string[]).includes(basename(path))) {
    return { ...file, problems: diagnoseDataSources({ text: file.text }), notes: [] };
  }
  const sourcesFile = await findSources(path, surroundings);
  const found = sourcesFile ? await catalogFor(file.text, sourcesFile, surroundings, options) : { notes: [] };
  const problems = diagnoseEntityGraph({
    text: file.text,
    ...(sourcesFile ? { sources: sourcesFile.sources } : {}),
    ...(found.catalog ? { catalog: found.catalog } : {}),
    ...(await sqlSyntaxOf(parseEntityGraph(file.text).graph.dataSource?.value, sourcesFile?.sources)),
  });
  return { ...file, problems, notes: found.notes };
}

interface FoundCatalog {
  readonly catalog?: Catalog;
  readonly notes: readonly string[];
}

async function catalogFor(
  text: string,
  sourcesFile: SourcesFile,
  surroundings: ProjectSurroundings,
  options: { readonly online: boolean; readonly signal?: AbortSignal },
): Promise<FoundCatalog> {
  const name = parseEntityGraph(text).graph.dataSource?.value;
  const source = sourcesFile.sources.sources.find((candidate) => candidate.name.value === name);
  if (!source) return { notes: [] };
  if (!options.online && source.kind?.value !== 'csv') {
    const catalog = await cachedCatalog(sourcesFile, source);
    if (catalog) return { catalog, notes: [] };
    return { notes: [`Columns of ${name} are not known yet: run with --online to check names and types.`] };
  }
  try {
    const connector = await connectorOf(sourcesFile, source, surroundings);
    try {
      const signal = options.signal === undefined ? {} : { signal: options.signal };
      return { catalog: await describeSource(sourcesFile, source, connector, signal), notes: [] };
    } finally {
      await connector.close();
    }
  } catch (error) {
    if (options.online || !isSourceError(error)) throw error;
    return { notes: [`Names and types were not checked: ${error.message}`] };
  }
}
