import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { ImportSummary } from '../../server/src/cli/import-summary.ts';
import { catalogShape } from '../../server/src/project/catalog-shape.ts';
import { type CliOptions, jsonLines, runCli } from '../support/run-cli.ts';

/** A copy of a sample to import, so that the project's folder is not written. */
export async function copySample(sample: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'entity-graph-sample-'));
  const filter = (path: string): boolean => basename(path) !== '.entity-graph';
  await cp(new URL(`../../samples/${sample}`, import.meta.url), folder, { recursive: true, filter });
  return folder;
}

/** Leaves the first rows of CSV files, where more have no other kinds of values. */
export async function shortenFiles(folder: string, rows: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const path of names.filter((name) => name.endsWith('.csv')).map((name) => join(folder, name))) {
    const lines = (await readFile(path, 'utf8')).split('\n');
    await writeFile(
      path,
      `${lines
        .slice(0, 1 + rows)
        .join('\n')
        .trimEnd()}\n`,
    );
  }
}

/** Validates against the source and expects no diagnostics. */
export async function expectClean(file: string, options: CliOptions = {}): Promise<void> {
  const run = await runCli(['validate', '--online', '--format', 'json', file], options);
  const results = JSON.parse(run.stdout || '[]') as readonly { readonly diagnostics: readonly unknown[] }[];
  assert.deepEqual(
    { code: run.code, diagnostics: results.map(({ diagnostics }) => diagnostics), stderr: run.stderr },
    { code: 0, diagnostics: [[]], stderr: '' },
  );
}

/** Imports a graph and returns its summary; throws the reason of a failure. */
export async function importGraph(file: string, options: CliOptions = {}): Promise<ImportSummary & { store: string }> {
  const run = await runCli(['import', file, '--format', 'json'], options);
  const summary = jsonLines(run).at(-1) as unknown as ImportSummary | undefined;
  assert.equal(run.code, 0, summary?.error?.message ?? run.stderr);
  assert.ok(summary?.store, 'The summary names no store.');
  await expectReadableCatalogs(dirname(file));
  return { ...summary, store: summary.store };
}

/** Each cached catalog is read again. */
async function expectReadableCatalogs(folder: string): Promise<void> {
  const catalogs = join(folder, '.entity-graph', 'catalog');
  const names = await readdir(catalogs).catch(() => []);
  for (const name of names) {
    const { catalog } = JSON.parse(await readFile(join(catalogs, name), 'utf8')) as { readonly catalog: unknown };
    assert.equal(catalogShape(catalog, ''), undefined, name);
  }
}

/**
 * Rows of a query over a store, or without one: 64-bit integers as numbers, everything else in DuckDB's JSON notation.
 */
export async function queryDuckDb(sql: string, store?: string): Promise<readonly Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(store ?? ':memory:', store ? { access_mode: 'READ_ONLY' } : {});
  try {
    const connection = await instance.connect();
    const reader = await connection.runAndReadAll(sql);
    const rows = reader.getRowObjectsJS().map((row) => Object.fromEntries(Object.entries(row).map(plain)));
    connection.closeSync();
    return rows;
  } finally {
    instance.closeSync();
  }
}

function plain([name, value]: readonly [string, unknown]): readonly [string, unknown] {
  return [name, typeof value === 'bigint' ? Number(value) : value];
}
