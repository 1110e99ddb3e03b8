import type { BuildingDialect } from './dialect.ts';
import { duckdbBuildSql } from './duckdb/build.ts';
import { duckdbCanonicalText } from './duckdb/canonical-text.ts';
import { duckdbCompletion } from './duckdb/completion.ts';
import { duckdbIdentifiers } from './duckdb/identifiers.ts';
import { duckdbLiterals } from './duckdb/literals.ts';
import { duckdbOperators } from './duckdb/operators.ts';
import { duckdbTimes } from './duckdb/times.ts';

/** The embedded engine: it stages and builds graphs, and runs the SQL of all sources that have no engine of their own. */
export const duckdb: BuildingDialect = {
  name: 'duckdb',
  label: 'DuckDB',
  isEmbedded: true,
  identifiers: duckdbIdentifiers,
  literals: duckdbLiterals,
  operators: duckdbOperators,
  canonical: duckdbCanonicalText,
  times: duckdbTimes,
  completion: duckdbCompletion,
  validator: { parser: 'embedded engine', parserVersion: undefined, acceptsUnknownOperators: false },
  build: duckdbBuildSql,
};
