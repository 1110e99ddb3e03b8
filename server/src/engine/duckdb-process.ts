// The DuckDB process of the language server: validates custom SQL and reads columns of files. The server stays small,
// and survives a native crash.
import type { Catalog } from '../catalog/catalog.ts';
import { staysOnThisMachine } from '../connectors/receiver.ts';
import { isSourceError } from '../connectors/source-error.ts';
import { type ProjectContext, connectorOf, describeSource, findSource } from '../project/open-project.ts';
import { parseDataSources } from '../model/parse-data-sources.ts';
import { validateSql } from './validate-sql.ts';
import { type DuckDbMethods, type FilesSource, type SourceFailure, duckDbShapes } from './duckdb-methods.ts';
import { serveParent } from './rpc/parent-process.ts';
import { type SqlChecker, openSqlChecker } from './sql-checker.ts';

let checker: Promise<SqlChecker> | undefined;

serveParent<DuckDbMethods>({
  shapes: duckDbShapes,
  answers: {
    async sql(questions) {
      const opened = await (checker ??= openSqlChecker());
      return Promise.all(questions.map((question) => validateSql(opened, question).catch(() => [])));
    },
    catalog: (source) =>
      describeFiles(source).then(
        (catalog) => ({ catalog }),
        (error: unknown) => ({ failure: failureOf(error) }),
      ),
  },
});

async function describeFiles({ sourcesFile: { path, text }, dataSource }: FilesSource): Promise<Catalog> {
  const sourcesFile = { path, text, ...parseDataSources(text) };
  const source = findSource(sourcesFile, dataSource);
  const projectContext: ProjectContext = {
    readSecret: async () => undefined,
    // This process cannot prompt.
    permitUses: async (uses) => uses.filter(({ receiver }) => !staysOnThisMachine(receiver)),
    environment: process.env,
  };
  const connector = await connectorOf(sourcesFile, source, projectContext);
  try {
    return await describeSource(sourcesFile, source, connector, projectContext);
  } finally {
    await connector.close();
  }
}

function failureOf(error: unknown): SourceFailure {
  if (!isSourceError(error)) throw error;
  const { cause: _cause, ...details } = error.details;
  return { code: error.code, message: error.message, details };
}
