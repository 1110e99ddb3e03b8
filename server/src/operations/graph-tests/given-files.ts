import { dirname, resolve } from 'node:path';
import type { GivenCell, GivenObject, GivenValue, GraphTests } from '../../graph-tests/graph-tests.ts';
import { quoteLiteral } from '../../query/quote.ts';
import type { Problem } from '../../model/problem.ts';
import { isDuckDbError, type DuckDbSession } from '../../store/duckdb-store.ts';
import { openSharedScratch } from '../../store/shared-scratch.ts';

/** The tests with the rows of the files that they name, and the problems of these files. */
export async function withGivenFiles(
  path: string,
  file: GraphTests,
): Promise<{ readonly file: GraphTests; readonly problems: readonly Problem[] }> {
  if (!file.tests.some(({ given }) => given.some((object) => object.file))) return { file, problems: [] };
  const problems: Problem[] = [];
  const session = await openSharedScratch();
  try {
    const tests = [];
    for (const test of file.tests) {
      const given: GivenObject[] = [];
      for (const object of test.given) given.push(await withRows(session, path, object, problems));
      tests.push({ ...test, given });
    }
    return { file: { ...file, tests }, problems };
  } finally {
    await session.close();
  }
}

async function withRows(
  session: DuckDbSession,
  path: string,
  object: GivenObject,
  problems: Problem[],
): Promise<GivenObject> {
  const { file } = object;
  if (!file) return object;
  const { range } = file;
  const rowsFile = resolve(dirname(path), file.value);
  try {
    const literal = quoteLiteral(rowsFile, 'duckdb');
    const { columns, rows } = await session.table(
      `SELECT * FROM read_csv(${literal}, all_varchar = true, header = true)`,
    );
    return {
      ...object,
      rows: rows.map((row) => ({
        range,
        cells: row.flatMap((cell, index): readonly GivenCell[] => [
          { column: { value: columns[index]?.name ?? '', range }, range, value: writtenValue(cell) },
        ]),
      })),
    };
  } catch (error) {
    if (!isDuckDbError(error)) throw error;
    const reason =
      error.failure.kind === 'file-missing' ? 'There is no such file.' : error.failure.message.split('\n')[0];
    const message = `The rows of ${file.value} cannot be read: ${reason ?? ''}`;
    problems.push({ code: 'schema-value', severity: 'error', message, range });
    return object;
  }
}

/** Texts with leading zeros are not numbers. */
function writtenValue(cell: string | number | boolean | null): GivenValue {
  if (cell === null) return { kind: 'null', text: '' };
  const text = String(cell);
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return { kind: 'number', text };
  return { kind: /^(?:true|false)$/i.test(text) ? 'boolean' : 'text', text };
}
