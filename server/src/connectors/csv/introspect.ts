import { basename } from 'node:path';
import { version } from '../../../../package.json';
import type { CatalogContent, DataObject } from '../../catalog/catalog.ts';
import { sampleValues } from '../../catalog/sample-values.ts';
import { stampOfFiles } from '../../files/file-stamp.ts';
import type { DescribeOptions } from '../connector.ts';
import type { SourceError } from '../source-error.ts';
import { isSourceError } from '../source-error.ts';
import { isKeyedByText } from './cell-values.ts';
import { catalogColumn } from '../embedded/column-types.ts';
import { fieldsByCase } from './fields-by-case.ts';
import type { FileSource } from './file-source.ts';
import { findFiles } from './find-files.ts';
import { type InspectedFile, filesOnDisk } from './inspected-file.ts';
import type { WorkbookTable } from './workbook/open-workbook.ts';
import { objectsWithoutParts } from './parts.ts';
import { settingNames, unusedPatterns, unusedSettings } from './unused-settings.ts';

/**
 * The catalog of a file source, one data object per file, or for several in parts. An unusable file becomes a warning and makes the catalog
 * incomplete; if all are unusable, rejects with the first `SourceError`.
 */
export async function introspect(
  source: FileSource,
  { signal, onProgress, known, mayReuse = false }: DescribeOptions,
): Promise<CatalogContent> {
  const readAt = new Date().toISOString();
  const stampOfAll = await stampOfFiles(await findFiles(source.config.folder, source.config.paths));
  // Another version may find other formats and types.
  const stamp = stampOfAll && `${version} ${stampOfAll}`;
  if (mayReuse && known && stamp !== undefined && known.stamp === stamp) return { ...known, readAt };
  const files = await source.list();
  const undescribed = [...objectsWithoutParts(source.config, files)];
  const objects: DataObject[] = [];
  const described: InspectedFile[] = [];
  const warnings = [
    ...undescribed.map(({ name, reason }) => `Data source ${source.config.name}, parts.${name}: ${reason}`),
  ];
  const faults: SourceError[] = [];
  for (const file of files) {
    signal?.throwIfAborted();
    onProgress?.(basename(file.path));
    try {
      const inspected = await source.inspect(file, signal);
      described.push(inspected);
      objects.push(dataObject(inspected, await source.firstRows(inspected, signal)));
      warnings.push(...inspected.warnings);
    } catch (error) {
      if (!isSourceError(error)) throw error;
      if (file.table && isNoTable(file.table, error)) {
        const reason = faultText(error);
        undescribed.push({ name: file.name, reason });
        // Many workbooks have empty sheets, of which nothing is missing.
        if (error.code !== 'source-empty') warnings.push(reason);
      } else {
        faults.push(error);
        undescribed.push({ name: file.name, reason: faultText(error) });
      }
    }
  }
  const [first] = faults;
  if (first && objects.length === 0) throw first;
  const names = filesOnDisk(files).flatMap(settingNames);
  const proposedTypes = described.flatMap((file) => file.proposedTypes ?? []);
  const unused = [
    ...(await unusedPatterns(source.config)),
    ...unusedSettings(source.config, names, described, faults.length === 0),
  ];
  return {
    objects,
    complete: faults.length === 0,
    readAt,
    warnings: [...faults.map(faultText), ...unused.map(({ message }) => message), ...warnings],
    ...(unused.length > 0 && { unusedSettings: unused }),
    ...(proposedTypes.length > 0 && { proposedTypes }),
    ...(undescribed.length > 0 && { undescribed }),
    ...(stamp !== undefined && faults.length === 0 && { stamp }),
  };
}

/** Workbooks have empty sheets, and names of several ranges: they are no tables, and the catalog is complete without them. */
function isNoTable({ isSeveral }: WorkbookTable, { code }: SourceError): boolean {
  return isSeveral === true || code === 'source-empty';
}

function dataObject(file: InspectedFile, rows: readonly (readonly unknown[])[]): DataObject {
  const fields = fieldsByCase(file.plan.columns);
  const columns = file.plan.columns.map((column, index) => ({
    ...catalogColumn(column),
    ...(fields.has(column.name) && { field: column.field }),
    ...(isKeyedByText(column, file.plan) && { isKeyedByText: true }),
    ...sampleValues(
      column.name,
      rows.map((row) => row[index]),
    ),
  }));
  const further = (file.folderColumns ?? []).map((column) => ({
    ...catalogColumn(column),
    ...sampleValues(
      column.name,
      (file.parts ?? []).map(({ folders = [] }) => folders.find(({ name }) => name === column.name)?.value),
    ),
  }));
  return {
    name: file.name,
    kind: 'file',
    path: [file.name],
    ...(file.table?.area && { within: sheetName(file.name, file.table) }),
    file: file.path,
    columns: [...columns, ...further],
    primaryKey: [],
    foreignKeys: [],
    statistics: {
      columnCount: columns.length + further.length,
      dataSize: file.size,
      ...(file.rowEstimate !== undefined && { rowEstimate: file.rowEstimate }),
    },
  };
}

/** The name of the data object of the sheet that a table belongs to. */
function sheetName(object: string, { name, sheet }: WorkbookTable): string {
  return `${object.slice(0, object.length - name.length)}${sheet}`;
}

function faultText(error: SourceError): string {
  return error.details.remedy === undefined ? error.message : `${error.message} ${error.details.remedy}`;
}
