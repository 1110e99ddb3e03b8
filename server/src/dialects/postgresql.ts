import type { BuildingDialect } from './dialect.ts';
import { postgresqlBuildSql } from './postgresql/build.ts';
import { postgresqlCanonicalText } from './postgresql/canonical-text.ts';
import { postgresqlCompletion } from './postgresql/completion.ts';
import { postgresqlIdentifiers } from './postgresql/identifiers.ts';
import { postgresqlLiterals } from './postgresql/literals.ts';
import { postgresqlOperators } from './postgresql/operators.ts';
import { postgresqlTimes } from './postgresql/times.ts';

export const postgresql: BuildingDialect = {
  name: 'postgresql',
  label: 'PostgreSQL',
  isEmbedded: false,
  identifiers: postgresqlIdentifiers,
  literals: postgresqlLiterals,
  operators: postgresqlOperators,
  canonical: postgresqlCanonicalText,
  times: postgresqlTimes,
  completion: postgresqlCompletion,
  validator: { parser: 'libpg-query', parserVersion: 18, acceptsUnknownOperators: true },
  build: postgresqlBuildSql,
};
