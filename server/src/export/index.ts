import { csv } from './csv.ts';
import type { ExportFormat } from './export-format.ts';
import { ocelJson } from './ocel-json.ts';
import { parquet } from './parquet.ts';

/** Every form in which a graph can be written. A new one is a file and a row. */
export const exportFormats: readonly ExportFormat[] = [parquet, csv, ocelJson];
