import { type CellArea, areaOf, rangeOf } from './cell-area.ts';
import { type TimeFormat, builtInFormat, timeFormatOf } from './number-format.ts';
import { attribute, readXml } from './read-xml.ts';
import { type ZipEntries, type ZipParts, withZipParts } from './zip-parts.ts';

/** A sheet, or a named range or an Excel table of one. */
export interface WorkbookTable {
  /** As in the name of the data object, behind that of the file. */
  readonly name: string;
  readonly sheet: string;
  /** The part of the archive. */
  readonly part: string;
  /** The cells of a range or table; all of them without. */
  readonly area?: CellArea | undefined;
  /** Set for an Excel table: whether its first row has the names of its columns. */
  readonly hasHead?: boolean | undefined;
  /** Whether the name is of several ranges, which are not a table. */
  readonly isSeveral?: boolean | undefined;
}

export interface Workbook {
  readonly entries: ZipEntries;
  readonly tables: readonly WorkbookTable[];
  /** Day 0 is 1 January 1904. */
  readonly isFrom1904: boolean;
  /** Its writer did not compute formulas: their stored results may be placeholders. */
  readonly isUncalculated: boolean;
  /** By the style of a cell. */
  readonly timeFormats: readonly (TimeFormat | undefined)[];
  /** The part with the texts that cells name by their number. */
  readonly sharedStrings: string | undefined;
}

/** Reads the contents of a workbook except the cells. Rejects with a `SourceError` that names the file. */
export async function openWorkbook(path: string, signal: AbortSignal | undefined): Promise<Workbook> {
  return withZipParts(path, (parts) => readWorkbook(parts, signal), { signal });
}

/** Maximum number of bytes of a part other than sheets and texts, whose content is kept in memory. */
const mostInMemory = 64 * 1024 ** 2;

async function readWorkbook(parts: ZipParts, signal: AbortSignal | undefined): Promise<Workbook> {
  const [main] = [...(await readRelations(parts, '', signal)).values()].filter(({ type }) => type === 'officeDocument');
  if (!main) throw new Error('it names no workbook');
  const relations = await readRelations(parts, main.target, signal);
  const { sheets, names, isFrom1904, isUncalculated } = await readMain(parts, main.target, signal);
  const tables: WorkbookTable[] = [];
  const sheetOf = new Map<string, WorkbookTable>();
  for (const { name, relation } of sheets) {
    const found = relations.get(relation);
    if (found?.type === 'worksheet') {
      if (sheetOf.has(name.toLowerCase())) throw new Error(`two of its sheets are called ${name}`);
      const table = { name, sheet: name, part: found.target };
      tables.push(table);
      sheetOf.set(name.toLowerCase(), table);
    }
  }
  const taken = new Set(tables.map(({ name }) => name.toLowerCase()));
  for (const { name, scope, formula } of names) {
    const range = rangeOf(formula);
    if (range === undefined) continue;
    const owner = scope === undefined ? undefined : sheets[scope]?.name;
    const { sheet = owner ?? '', part = '' } = sheetOf.get(range === 'several' ? '' : range.sheet.toLowerCase()) ?? {};
    // A single row has no rows below the names of its columns.
    if (range !== 'several' && (part === '' || range.area.top === range.area.bottom)) continue;
    const isTaken = taken.has(name.toLowerCase());
    const shown = owner !== undefined ? `${owner}!${name}` : isTaken ? `${sheet}!${name}` : name;
    if (taken.has(shown.toLowerCase())) continue;
    taken.add(shown.toLowerCase());
    tables.push(
      range === 'several'
        ? { name: shown, sheet, part, isSeveral: true }
        : { name: shown, sheet, part, area: range.area },
    );
  }
  for (const { sheet, part } of sheetOf.values()) {
    for (const { name, ...table } of await readTables(parts, part, signal)) {
      const shown = taken.has(name.toLowerCase()) ? `${sheet}!${name}` : name;
      if (taken.has(shown.toLowerCase())) continue;
      taken.add(shown.toLowerCase());
      tables.push({ name: shown, sheet, part, ...table });
    }
  }
  const related = (type: string): string | undefined =>
    [...relations.values()].find((relation) => relation.type === type)?.target;
  const styles = related('styles');
  return {
    entries: parts.entries,
    tables,
    isFrom1904,
    isUncalculated,
    timeFormats: styles === undefined || !parts.has(styles) ? [] : await readTimeFormats(parts, styles, signal),
    sharedStrings: related('sharedStrings'),
  };
}

interface Relation {
  /** The last part of its address, which differs between the two forms of the format. */
  readonly type: string;
  /** The part that it leads to. */
  readonly target: string;
}

/** The relations of a part by their id; those of the whole archive without one. */
async function readRelations(
  parts: ZipParts,
  part: string,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, Relation>> {
  const folder = folderOf(part);
  const relations = new Map<string, Relation>();
  await readXml(
    parts.read(relationsOf(part), mostInMemory),
    {
      open(name, attributes) {
        const { Id: id, Type: type = '', Target: target = '', TargetMode: mode } = attributes;
        if (name !== 'Relationship' || id === undefined || mode === 'External') return;
        relations.set(id, { type: type.slice(type.lastIndexOf('/') + 1), target: resolved(folder, target) });
      },
    },
    signal,
  );
  return relations;
}

function folderOf(part: string): string {
  return part.slice(0, part.lastIndexOf('/') + 1);
}

/** The part with the relations of a part. */
function relationsOf(part: string): string {
  const folder = folderOf(part);
  return `${folder}_rels/${part.slice(folder.length)}.rels`;
}

/** A path inside the archive; `..` cannot lead out of it. */
function resolved(folder: string, target: string): string {
  const path: string[] = [];
  for (const segment of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (segment === '..') path.pop();
    else if (segment !== '' && segment !== '.') path.push(segment);
  }
  return path.join('/');
}

/** The Excel tables of a sheet. Rows of totals are none of their rows. */
async function readTables(
  parts: ZipParts,
  sheet: string,
  signal: AbortSignal | undefined,
): Promise<readonly (Pick<WorkbookTable, 'name' | 'hasHead'> & { readonly area: CellArea })[]> {
  const found: { name: string; area: CellArea; hasHead: boolean }[] = [];
  if (!parts.has(relationsOf(sheet))) return found;
  for (const { type, target } of (await readRelations(parts, sheet, signal)).values()) {
    if (type !== 'table') continue;
    await readXml(
      parts.read(target, mostInMemory),
      {
        open(element, { name = '', displayName = name, ref = '', headerRowCount = '1', totalsRowCount = '0' }) {
          const area = element === 'table' ? areaOf(ref) : undefined;
          if (!area || displayName === '') return;
          const bottom = area.bottom - Number(totalsRowCount);
          const hasHead = headerRowCount !== '0';
          if (bottom >= area.top) found.push({ name: displayName, area: { ...area, bottom }, hasHead });
        },
      },
      signal,
    );
  }
  return found;
}

interface MainPart {
  readonly sheets: readonly { readonly name: string; readonly relation: string }[];
  readonly names: readonly DefinedName[];
  readonly isFrom1904: boolean;
  readonly isUncalculated: boolean;
}

interface DefinedName {
  readonly name: string;
  /** The index of the sheet to which it belongs. */
  readonly scope: number | undefined;
  readonly formula: string;
}

async function readMain(parts: ZipParts, part: string, signal: AbortSignal | undefined): Promise<MainPart> {
  const sheets: { name: string; relation: string }[] = [];
  const names: DefinedName[] = [];
  let isFrom1904 = false;
  let isUncalculated = false;
  let named: { name: string; scope: number | undefined } | undefined;
  let formula = '';
  await readXml(
    parts.read(part, mostInMemory),
    {
      open(element, attributes) {
        if (element === 'sheet') {
          sheets.push({ name: attribute(attributes, 'name') ?? '', relation: attribute(attributes, 'id') ?? '' });
        } else if (element === 'workbookPr') {
          isFrom1904 = isTrue(attributes['date1904']);
        } else if (element === 'calcPr') {
          isUncalculated = isTrue(attributes['fullCalcOnLoad']);
        } else if (element === 'definedName') {
          const { name = '', localSheetId: scope, hidden } = attributes;
          formula = '';
          // Names that Excel keeps for itself, such as the area to print.
          const isOwn = name.startsWith('_xlnm.') || isTrue(hidden);
          named = isOwn ? undefined : { name, scope: scope === undefined ? undefined : Number(scope) };
        }
      },
      text(text) {
        if (named) formula += text;
      },
      close(element) {
        if (element !== 'definedName' || !named) return;
        names.push({ ...named, formula });
        named = undefined;
      },
    },
    signal,
  );
  return { sheets, names, isFrom1904, isUncalculated };
}

function isTrue(text: string | undefined): boolean {
  return text === '1' || text === 'true' || text === 'on';
}

async function readTimeFormats(
  parts: ZipParts,
  part: string,
  signal: AbortSignal | undefined,
): Promise<readonly (TimeFormat | undefined)[]> {
  const codes = new Map<number, TimeFormat | undefined>();
  const formats: (TimeFormat | undefined)[] = [];
  let isInCells = false;
  await readXml(
    parts.read(part, mostInMemory),
    {
      open(name, { numFmtId = '0', formatCode = '' }) {
        const id = Number(numFmtId);
        if (name === 'numFmt') codes.set(id, timeFormatOf(formatCode));
        else if (name === 'cellXfs') isInCells = true;
        else if (name === 'xf' && isInCells) formats.push(codes.has(id) ? codes.get(id) : builtInFormat(id));
      },
      close(name) {
        if (name === 'cellXfs') isInCells = false;
      },
    },
    signal,
  );
  return formats;
}
