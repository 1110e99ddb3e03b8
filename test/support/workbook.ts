import { deflateRawSync } from 'node:zlib';
import { crc32 } from '../../server/src/connectors/csv/workbook/crc32.ts';

export interface ZipOptions {
  /** Changes the names of parts, or the checksum, in the archive only. */
  readonly rename?: Readonly<Record<string, string>>;
  readonly wrongChecksum?: string;
}

/** A zip archive of texts or bytes by name. */
export function zipOf(
  parts: Readonly<Record<string, string | Uint8Array>>,
  { rename = {}, wrongChecksum }: ZipOptions = {},
): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const path = Buffer.from(rename[name] ?? name);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(name === wrongChecksum ? 1 : crc32(bytes, 0), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(bytes.length, 18);
    head.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), head, path, packed]);
    const end = Buffer.alloc(14);
    end.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), head, end, path]));
    files.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const last = Buffer.alloc(22);
  last.write('PK\x05\x06', 'latin1');
  last.writeUInt16LE(directory.length, 8);
  last.writeUInt16LE(directory.length, 10);
  last.writeUInt32LE(entries.length, 12);
  last.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, entries, last]);
}

export interface WorkbookParts {
  /** The content of `sheetData`, and of what follows it. */
  readonly rows: string;
  readonly behindRows?: string;
  /** The items of the shared texts. */
  readonly strings?: string;
  /** Format codes of the styles 1, 2 and so on. */
  readonly formats?: readonly string[];
  /** Inside the workbook part, behind the sheets. */
  readonly names?: string;
  readonly properties?: string;
  /** The attributes of the Excel tables of the sheet. */
  readonly tables?: readonly string[];
  /** As the other form of the standard, whose elements may have a prefix. */
  readonly isStrict?: boolean;
}

const types = {
  transitional: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  strict: 'http://purl.oclc.org/ooxml/officeDocument/relationships',
};
const spaces = {
  transitional: 'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  strict: 'http://purl.oclc.org/ooxml/spreadsheetml/main',
};

/** The parts of a workbook with the sheet `Sheet`, as small as may be. */
export function workbookParts(given: WorkbookParts): Record<string, string> {
  const {
    rows,
    behindRows = '',
    strings = '',
    formats = [],
    names = '',
    properties = '',
    tables = [],
    isStrict,
  } = given;
  const form = isStrict ? 'strict' : 'transitional';
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${types[form]}/${type}" Target="${target}"/>`;
  const relations = (inner: string): string =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inner}</Relationships>`;
  const codes = formats.map((code, index) => `<numFmt numFmtId="${index + 200}" formatCode="${code}"/>`).join('');
  const styles = formats.map((_, index) => `<xf numFmtId="${index + 200}"/>`).join('');
  const main = (name: string, inner: string): string =>
    `<?xml version="1.0" encoding="UTF-8"?><${name} xmlns="${spaces[form]}" xmlns:r="${types[form]}">${inner}</${name}>`;
  return {
    '_rels/.rels': relations(relation('a', 'officeDocument', 'xl/workbook.xml')),
    'xl/_rels/workbook.xml.rels': relations(
      relation('rId1', 'worksheet', 'worksheets/sheet1.xml') +
        relation('rId2', 'styles', '/xl/styles.xml') +
        relation('rId3', 'sharedStrings', 'sharedStrings.xml'),
    ),
    'xl/workbook.xml': main(
      'workbook',
      `${properties}<sheets><sheet name="Sheet" sheetId="7" r:id="rId1"/></sheets>${names}`,
    ),
    'xl/styles.xml': main(
      'styleSheet',
      `<numFmts>${codes}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles}</cellXfs>`,
    ),
    'xl/sharedStrings.xml': main('sst', strings),
    'xl/worksheets/sheet1.xml': main('worksheet', `<sheetData>${rows}</sheetData>${behindRows}`),
    ...(tables.length > 0 && {
      'xl/worksheets/_rels/sheet1.xml.rels': relations(
        tables.map((_, index) => relation(`rId${index + 1}`, 'table', `../tables/table${index + 1}.xml`)).join(''),
      ),
    }),
    ...Object.fromEntries(
      tables.map((attributes, index) => [
        `xl/tables/table${index + 1}.xml`,
        `<table xmlns="${spaces[form]}" id="${index + 1}" ${attributes}><autoFilter ref="A1:B2"/><tableColumns count="1"><tableColumn id="1" name="n"/></tableColumns></table>`,
      ]),
    ),
  };
}

export function workbookOf(given: WorkbookParts): Buffer {
  return zipOf(workbookParts(given));
}
