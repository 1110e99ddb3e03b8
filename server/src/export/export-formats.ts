import type { ExportFormatName } from '../../../protocol/event-graph.ts';
import { csv } from './csv.ts';
import { csvLog } from './event-log/csv-log.ts';
import { xes } from './event-log/xes.ts';
import type { ExportFormat } from './export-format.ts';
import { neo4j } from './neo4j/neo4j.ts';
import { ocelJson } from './ocel/ocel-json.ts';
import { ocelSqlite } from './ocel/ocel-sqlite.ts';
import { ocelXml } from './ocel/ocel-xml.ts';
import { parquet } from './parquet.ts';

/** All export formats in display order. */
export const exportFormats: Readonly<Record<ExportFormatName, ExportFormat>> = {
  parquet,
  csv,
  'ocel-json': ocelJson,
  'ocel-xml': ocelXml,
  'ocel-sqlite': ocelSqlite,
  neo4j,
  xes,
  'csv-log': csvLog,
};

/** The names of `exportFormats`. */
export const exportFormatNames = Object.keys(exportFormats) as readonly ExportFormatName[];

/** The format with this name; undefined when unknown. */
export function exportFormat(name: string): ExportFormat | undefined {
  return Object.hasOwn(exportFormats, name) ? exportFormats[name as ExportFormatName] : undefined;
}
