import { csv } from './csv.ts';
import type { ExportFormat } from './export-format.ts';
import { neo4j } from './neo4j/neo4j.ts';
import { ocelJson } from './ocel/ocel-json.ts';
import { ocelSqlite } from './ocel/ocel-sqlite.ts';
import { ocelXml } from './ocel/ocel-xml.ts';
import { parquet } from './parquet.ts';

/** Every form in which a graph can be written. A new one is a file and a row. */
export const exportFormats: readonly ExportFormat[] = [parquet, csv, ocelJson, ocelXml, ocelSqlite, neo4j];
