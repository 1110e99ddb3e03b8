// The program that has DuckDB loaded for the language server: what custom SQL means, and which columns files have. The
// process that follows keystrokes stays small, and a native crash cannot take it down.
import type { Catalog } from '../catalog/catalog.ts';
import { staysOnThisMachine } from '../connectors/receiver.ts';
import { isSourceError } from '../connectors/source-error.ts';
import { type ProjectSurroundings, connectorOf, describeSource, findSource } from '../project/open-project.ts';
import { parseDataSources } from '../model/parse-data-sources.ts';
import { answerSql } from './answer-sql.ts';
import type { DuckDbAnswer, DuckDbRequest, DuckDbTask, DuckDbTaskFailure } from './duckdb-messages.ts';
import { duckDbRequest } from './message-shapes.ts';
import { type SqlChecker, openSqlChecker } from './sql-checker.ts';
import { takeMessages } from './told-messages.ts';

let checker: Promise<SqlChecker> | undefined;

takeMessages(duckDbRequest, take, (message, id) => {
  if (id !== undefined) send({ id, failure: { message } });
});
process.on('disconnect', () => process.exit());

function take({ id, task }: DuckDbRequest): void {
  void answer(task).then(
    (result) => send({ id, ...result }),
    (error: unknown) => send({ id, failure: failureOf(error) }),
  );
}

type Result = { readonly mistakes: Awaited<ReturnType<typeof answerSql>> } | { readonly catalog: Catalog };

async function answer(task: DuckDbTask): Promise<Result> {
  if (task.kind === 'sql') return { mistakes: await answerSql(await (checker ??= openSqlChecker()), task.question) };
  const { path, text } = task.sourcesFile;
  const sourcesFile = { path, text, ...parseDataSources(text) };
  const source = findSource(sourcesFile, task.dataSource);
  const surroundings: ProjectSurroundings = {
    readSecret: async () => undefined,
    // Nobody can be asked here.
    permitUses: async (uses) => uses.filter(({ receiver }) => !staysOnThisMachine(receiver)),
    environment: process.env,
  };
  const connector = await connectorOf(sourcesFile, source, surroundings);
  try {
    return { catalog: await describeSource(sourcesFile, source, connector, {}) };
  } finally {
    await connector.close();
  }
}

function failureOf(error: unknown): DuckDbTaskFailure {
  if (!isSourceError(error)) return { message: error instanceof Error ? error.message : String(error) };
  const { cause: _cause, ...details } = error.details;
  return { code: error.code, message: error.message, details };
}

function send(answer: DuckDbAnswer): void {
  if (process.connected) process.send?.(answer);
}
