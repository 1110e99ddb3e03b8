import { trino } from '../../dialects/trino.ts';
import type { TrinoConfig } from './read-settings.ts';

/** Location of the graph of an entity graph. */
export interface GraphPlace {
  readonly catalog: string;
  /** The schema with the pointer and the views. */
  readonly schema: string;
  /** The schema of the tables of a run, which is named after it. */
  runSchema(run: string): string;
  /** SQL name of a schema of the catalog, or of a relation in it. */
  name(schema: string, relation?: string): string;
}

/** @param schema as written in the file: `schema`, or `catalog.schema` for another catalog than that of the source */
export function graphPlace({ catalog: own }: Pick<TrinoConfig, 'catalog'>, schema: string): GraphPlace {
  const [first = '', second] = schema.toLowerCase().split('.');
  const [catalog, name] = second === undefined ? [own, first] : [first, second];
  return {
    catalog,
    schema: name,
    runSchema: (run) => `${name}${runMark}${run.toLowerCase().replaceAll('-', '_')}`,
    name: (of, relation) =>
      [catalog, of, ...(relation === undefined ? [] : [relation])].map(trino.identifiers.quote).join('.'),
  };
}

/** Placeholder in a plan for a name that is known at run time only. */
export const anyName = '…';

/** Between the schema of a graph and the id of a run. */
export const runMark = '__';

/** The table with one row that names the published run. */
export const pointerTable = 'published';

/**
 * The table of a run with the state of the pointer when the run began. Once the pointer has changed, the run can never
 * be published.
 */
export const turnTable = 'begun';

/** A view that a run creates before its build, to detect a catalog that does not support views. */
export const triedView = `${turnTable}_view`;

/** The content of the pointer table. */
export interface Turn {
  /** How often it was changed. */
  readonly turn: number;
  readonly run: string | undefined;
  readonly previous: string | undefined;
  /** Whether its schema exists. */
  readonly hasSchema: boolean;
}
