import { duckdbBuild } from '../../import/build/build-dialect.ts';
import { isNoTime } from '../../import/build/utc-time.ts';
import { quoteLiteral } from '../../query/quote.ts';
import { openSharedScratch } from '../../store/shared-scratch.ts';

/** The texts that the embedded engine cannot read as times. */
export async function textsWithoutTime(texts: readonly string[]): Promise<ReadonlySet<string>> {
  if (texts.length === 0) return new Set();
  const column = { name: 'text', type: 'VARCHAR', sense: 'text', stagedAs: 'c1', stagedType: 'VARCHAR' } as const;
  const values = texts.map((text) => `(${quoteLiteral(text, 'duckdb')})`).join(', ');
  const session = await openSharedScratch();
  try {
    const { rows } = await session.table(
      `SELECT c1 FROM (VALUES ${values}) AS texts(c1) WHERE ${isNoTime(column, { dialect: duckdbBuild, timeZone: 'UTC' })}`,
    );
    return new Set(rows.map(([text]) => String(text)));
  } finally {
    await session.close();
  }
}
