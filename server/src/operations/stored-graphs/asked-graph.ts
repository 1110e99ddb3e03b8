import type { GraphFilter } from '../../../../protocol/event-graph.ts';
import { englishMapWords } from '../../../../protocol/map-words.ts';
import { countSubjects } from '../../analysis/answer-measures.ts';
import type { ReadTypeFilter } from '../../analysis/filter-entities.ts';
import { QuestionError } from '../../analysis/question-error.ts';
import { type NamedGraph, readConditions } from '../../analysis/read-conditions.ts';
import { defaultEntityType } from '../../event-graph/default-entity-type.ts';
import { readRunNotes } from '../../event-graph/read-run-notes.ts';
import { runNotesText } from '../../event-graph/run-notes-text.ts';
import { didYouMean, nearestNames } from '../../model/nearest-name.ts';
import { type GraphFile, type ProjectContext, readGraphFile } from '../../project/open-project.ts';
import { lockDatabase } from '../../store/sandbox.ts';
import { type StatementOptions, type StoreReader, isDuckDbError } from '../../store/duckdb-store.ts';
import { loadFilters } from '../graph-files/saved-filters.ts';
import { OperationError } from '../operation-error.ts';
import { openCodedGraphStore } from './open-graph-store.ts';
import { graphInSource, storedGraph } from './stored-graph.ts';

/** Which entities a question is about. */
export interface AskedEntities {
  /** Default: the type that a process map shows first. */
  readonly entityType?: string | undefined;
  /** Another default, of the text of the file. */
  readonly typeOf?: ((text: string) => string | undefined) | undefined;
  readonly conditions?: readonly string[] | undefined;
  /** Conditions of other entities, for a comparison. */
  readonly compared?: readonly string[] | undefined;
  /** Further conditions, which the question itself reads. */
  readonly outcome?: readonly string[] | undefined;
}

/** An opened graph with the entities that are meant. */
export interface AskedGraph {
  readonly store: StoreReader;
  readonly filter: ReadTypeFilter;
  readonly compare?: ReadTypeFilter | undefined;
  /** For conditions of the question itself. */
  readonly named: NamedGraph;
  /** The text of the file. */
  readonly text: string;
  /** Sentences that belong to every answer, such as that the graph is a slice. */
  readonly notes: readonly string[];
  readonly options: StatementOptions;
}

/**
 * Asks the imported graph of an entity graph. SQL of the user reads nothing but the graph. Rejects with an
 * `OperationError`: `not-imported`, `fetch-first` for a graph inside its source, or as the question does.
 */
export async function askImportedGraph<T>(
  path: string,
  { entityType, typeOf, conditions = [], compared, outcome = [] }: AskedEntities,
  projectContext: ProjectContext,
  signal: AbortSignal,
  ask: (graph: AskedGraph) => Promise<T>,
): Promise<T> {
  const file = await readGraphFile(path, projectContext);
  await refuseGraphInSource(file, projectContext);
  const store = await openCodedGraphStore(await storedGraph(file, projectContext));
  const options = { signal };
  const namedFilter = (name: string): Promise<GraphFilter> => savedFilter(name, file, projectContext);
  let type: string | undefined;
  try {
    await lockDatabase(store, { files: [], folders: [] });
    type = await chosenType(store, entityType ?? typeOf?.(file.text), file, options);
    const named = { store, entityType: type, namedFilter };
    const read = (texts: readonly string[]): Promise<ReadTypeFilter> => readConditions(texts, named, options);
    const filter = await read(conditions);
    const compare = compared && (await read(compared));
    const notes = runNotesText(await readRunNotes(store, options), englishMapWords);
    return await ask({ store, filter, compare, named, text: file.text, notes, options });
  } catch (error) {
    if (!isDuckDbError(error) || type === undefined) throw error;
    const all = [...conditions, ...(compared ?? []), ...outcome];
    const failing = await failingCondition(all, { store, entityType: type, namedFilter }, options);
    throw sqlFailure(failing === undefined ? error.failure.message : `${failing}: ${error.failure.message}`, file);
  } finally {
    await store.close();
  }
}

/** The condition that cannot be found for the entities of the graph, such as a comparison of a number with a text. */
async function failingCondition(
  conditions: readonly string[],
  graph: NamedGraph,
  options: StatementOptions,
): Promise<string | undefined> {
  for (const condition of conditions) {
    try {
      await countSubjects(graph.store, await readConditions([condition], graph, options), options);
    } catch (error) {
      if (isDuckDbError(error)) return condition.trim();
      throw error;
    }
  }
  return undefined;
}

async function refuseGraphInSource(file: GraphFile, projectContext: ProjectContext): Promise<void> {
  const graph = await graphInSource(file, projectContext);
  if (!graph) return;
  throw new OperationError({
    code: 'fetch-first',
    message: `The graph of ${file.path} is in the schema ${graph.schema} of its data source; questions are answered on this machine.`,
    file: file.path,
    remedy: 'Copy it to this machine: Fetch Graph from Source, entity-graph fetch.',
  });
}

async function chosenType(
  store: StoreReader,
  wanted: string | undefined,
  file: GraphFile,
  options: StatementOptions,
): Promise<string> {
  if (wanted === undefined) {
    const type = await defaultEntityType(store, options);
    if (type !== undefined) return type;
    throw withoutEntities(file);
  }
  const rows = await store.query('SELECT DISTINCT entity_type FROM entity', options);
  const types = rows.map((row) => String(row['entity_type']));
  if (types.length === 0) throw withoutEntities(file);
  if (types.includes(wanted)) return wanted;
  throw new QuestionError(
    `The graph has no entities of the type "${wanted}".`,
    didYouMean(nearestNames(wanted, types)) ?? `It has ${types.join(', ')}.`,
  );
}

function withoutEntities({ path }: GraphFile): OperationError {
  return new OperationError({
    code: 'no-events',
    message: 'The graph has no entities.',
    file: path,
    remedy: 'Import it again when its data objects have rows: an import lists the rows of each element.',
  });
}

async function savedFilter(name: string, file: GraphFile, projectContext: ProjectContext): Promise<GraphFilter> {
  const filters = await loadFilters(file.path, projectContext);
  const found = Object.hasOwn(filters, name) ? filters[name] : undefined;
  if (found) return found;
  const names = Object.keys(filters);
  throw new QuestionError(
    `There is no saved filter "${name}".`,
    didYouMean(nearestNames(name, names)) ??
      (names.length === 0 ? 'Filters are saved on the page Event Graph.' : `There are ${names.join(', ')}.`),
  );
}

/** A value that a condition cannot compare is found when the statement runs. */
function sqlFailure(message: string, { path }: GraphFile): OperationError {
  return new OperationError({ code: 'sql-error', message, file: path });
}
