import type { Connector } from '../../connectors/connector.ts';
import { sourceKinds } from '../../connectors/source-kinds.ts';
import type { GraphCatalog } from '../../catalog/graph-catalog.ts';
import type { Identifiers } from '../../dialects/dialect.ts';
import { dialectNamed } from '../../dialects/index.ts';
import { ImportError } from '../../import/import-error.ts';
import { type ImportPlan, planImport } from '../../import/plan-import.ts';
import { validateEntityGraph } from '../../language/validation/validate-graph.ts';
import { dataSourcesRead } from '../../model/data-sources-used.ts';
import { type ParsedEntityGraph, parseEntityGraph } from '../../model/parse-model.ts';
import type { Problem } from '../../model/problem.ts';
import type { GraphFile, Project, SourcesFile } from '../../project/open-project.ts';
import { type OperationError, problemFailure } from '../operation-error.ts';

/** The plan of an import. Throws the first error that prevents it, with its position. */
export function validPlan({ file, parsed, sourcesFile }: Project, catalog: GraphCatalog): ImportPlan {
  const errors = errorsOf(validateEntityGraph({ text: file.text, parsed, sources: sourcesFile.sources, catalog }));
  if (errors.length > 0) throw problemFailure(errors, file);
  const planned = planImport(parsed.graph, catalog);
  if ('problems' in planned) throw problemFailure(planned.problems, file);
  return planned.plan;
}

/** The schema to build in, with `engine: source`; undefined for the embedded engine. Throws an `ImportError`. */
export function sourceSchema({ parsed, source }: Project, connector: Connector): string | undefined {
  const { engine, schema, catalog } = parsed.graph.import;
  if (engine !== 'source') return undefined;
  const read = dataSourcesRead(parsed.graph);
  if (read.length > 1) {
    const message = `engine: source builds a graph inside one data source, and this one reads ${read.join(', ')}.`;
    throw new ImportError('engine-unsupported', message, { remedy: 'Remove engine: source, or set it to embedded.' });
  }
  if (!connector.openBuild) {
    const builders = sourceKinds().filter(({ capabilities }) => capabilities.buildsInside);
    const where = builders.map(({ label }) => label).join(' and ');
    const message = `${source.name.value} is of kind ${connector.kind}: graphs are built inside ${where} only.`;
    throw new ImportError('engine-unsupported', message, { remedy: 'Remove engine: source, or set it to embedded.' });
  }
  if (schema === undefined) {
    throw new ImportError('schema-missing', 'engine: source needs to know the schema to build in.', {
      remedy: 'Name one under import, such as schema: ekg_incidents. It is created.',
    });
  }
  const { identifiers } = dialectNamed(connector.dialect);
  const mistake = schemaNameMistake(schema.value, identifiers);
  if (mistake !== undefined) {
    throw new ImportError('schema-missing', `"${schema.value}" cannot be the name of a schema.`, {
      remedy: mistake,
      range: schema.range,
    });
  }
  if (catalog === undefined) return schema.value;
  if (!identifiers.hasCatalogs || catalog.value.includes('.')) {
    const message = identifiers.hasCatalogs
      ? `"${catalog.value}" cannot be the name of a catalog.`
      : `${source.name.value} has no catalogs to build in.`;
    throw new ImportError('schema-missing', message, {
      remedy: identifiers.hasCatalogs ? 'Choose a name without dots.' : 'Remove catalog under import.',
      range: catalog.range,
    });
  }
  return `${catalog.value}.${schema.value}`;
}

/** Space for the suffixes of the new and the previous graph's schema. */
const roomForEndings = 13;

/** How to choose another schema name; undefined for a valid one. */
function schemaNameMistake(name: string, { maxBytes, reservedPrefix, hasCatalogs }: Identifiers): string | undefined {
  // A dot is between catalog and schema.
  if (hasCatalogs && name.includes('.'))
    return 'Choose a name without dots, and name the catalog under import.catalog.';
  const most = maxBytes === undefined ? Infinity : maxBytes - roomForEndings;
  const isReserved = reservedPrefix !== undefined && name.startsWith(reservedPrefix);
  if (name !== '' && !isReserved && Buffer.byteLength(name) <= most) return undefined;
  const length = most === Infinity ? '' : ` of ${most} bytes at most`;
  const prefix = reservedPrefix === undefined ? '' : ` that does not begin with ${reservedPrefix}`;
  return `Choose a name${length}${prefix}.`;
}

/**
 * The first error in the file; undefined without one.
 * @param catalog cached catalogs of its data sources; without it, only errors that need no catalog are found
 */
export function firstMistake(
  file: GraphFile,
  parsed: ParsedEntityGraph,
  sourcesFile: SourcesFile | undefined,
  catalog?: GraphCatalog,
  sourcesAbove?: string,
): OperationError | undefined {
  const known = { text: file.text, parsed, sources: sourcesFile?.sources, catalog, sourcesAbove };
  const errors = errorsOf(validateEntityGraph(known));
  return errors.length > 0 ? problemFailure(errors, file) : undefined;
}

/** Throws an `OperationError` with the first syntax error: what an unreadable text lacks says little. */
export function refuseUnreadable(file: GraphFile): void {
  const mistakes = parseEntityGraph(file.text).problems.filter(({ severity }) => severity === 'error');
  if (mistakes.length > 0) throw problemFailure(mistakes, file);
}

function errorsOf(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter((problem) => problem.severity === 'error');
}
