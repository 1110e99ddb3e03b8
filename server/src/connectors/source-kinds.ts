import { fileKind } from './csv/source-kind.ts';
import { mysqlKind } from './mysql/source-kind.ts';
import { duckdbKind } from './duckdb/source-kind.ts';
import { ocelKind } from './ocel/source-kind.ts';
import { postgresqlKind } from './postgresql/source-kind.ts';
import { restKind } from './rest/source-kind.ts';
import { serviceNowKind } from './servicenow/source-kind.ts';
import { sqliteKind } from './sqlite/source-kind.ts';
import { trinoKind } from './trino/source-kind.ts';
import { xesKind } from './xes/source-kind.ts';
import type { SourceKind } from './source-kind.ts';

/** The source kinds in display order. A new kind is one line here; tests add theirs. */
let registered: readonly SourceKind[] = [
  postgresqlKind,
  mysqlKind,
  trinoKind,
  sqliteKind,
  duckdbKind,
  fileKind,
  ocelKind,
  xesKind,
  serviceNowKind,
  restKind,
];

/** All kinds; the same array until a kind is added, so that derived data can be cached. */
export function sourceKinds(): readonly SourceKind[] {
  return registered;
}

/** The kind with this name; undefined when unknown. */
export function sourceKind(name: string | undefined): SourceKind | undefined {
  return registered.find((kind) => kind.name === name);
}

/** Adds a kind at the end of the list. Returns a function that removes it. */
export function addSourceKind(kind: SourceKind): () => void {
  if (sourceKind(kind.name)) throw new Error(`There is a source kind ${kind.name} already.`);
  registered = [...registered, kind];
  return () => {
    registered = registered.filter((each) => each !== kind);
  };
}
