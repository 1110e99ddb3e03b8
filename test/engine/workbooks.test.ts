import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connector } from '../../server/src/connectors/connector.ts';
import { withZipParts } from '../../server/src/connectors/csv/workbook/zip-parts.ts';
import { createWorkbooks } from '../../server/src/connectors/csv/workbook/workbooks.ts';
import { writeSheetCopy } from '../../server/src/connectors/csv/workbook/write-sheet-copy.ts';
import { readSharedStrings } from '../../server/src/connectors/csv/workbook/shared-strings.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { type CsvSourceOptions, fileQuery, withCsvFiles } from '../support/csv-source.ts';
import { projectRoot } from '../support/doc-pages.ts';
import { type WorkbookParts, workbookOf, workbookParts, zipOf } from '../support/workbook.ts';

interface Table {
  /** Names and types. */
  readonly columns: Readonly<Record<string, string>>;
  readonly rows: readonly (readonly unknown[])[];
  readonly warnings: readonly string[];
}

/** A table as it is staged by an import, as texts. */
async function staged(connector: Connector, name: string): Promise<Table> {
  return withBuildDatabase(async (staging) => {
    const pull = await connector.openPull(staging, {});
    try {
      const query = fileQuery(`SELECT * FROM "${name}"`, [name]);
      const { columns, warnings } = await pull.load(query, 'staged', {});
      const { rows } = await staging.table('SELECT CAST(COLUMNS(*) AS VARCHAR) FROM staged ORDER BY rowid');
      return {
        columns: Object.fromEntries(columns.map((each) => [each.name, each.type])),
        rows,
        warnings: warnings ?? [],
      };
    } finally {
      await pull.close();
    }
  });
}

function readBytes(bytes: Uint8Array, options: CsvSourceOptions = {}): Promise<Table> {
  return withCsvFiles({ 'book.xlsx': bytes }, options, (connector) => staged(connector, 'book/Sheet'));
}

function read(parts: WorkbookParts, settings: Readonly<Record<string, unknown>> = {}): Promise<Table> {
  return readBytes(workbookOf(parts), { settings });
}

const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const number = (value: string, style = 0): string => `<c s="${style}"><v>${value}</v></c>`;
const row = (...cells: readonly string[]): string => `<row>${cells.join('')}</row>`;
const heads = (...names: readonly string[]): string => row(...names.map(text));

function fixture(name: string): Buffer {
  return readFileSync(join(projectRoot, 'test/data/workbooks', name));
}

describe('workbooks', () => {
  it('numbers are values of one column, and keep their digits', async () => {
    const cases: readonly (readonly [values: readonly string[], type: string, texts: readonly (string | null)[]])[] = [
      [['5', '5.0', '1E+2'], 'BIGINT', ['5', '5', '100']],
      [['0.1', '1E-3', '1.1000000000000001'], 'DOUBLE', ['0.1', '0.001', '1.1']],
      [['9007199254740993', '1'], 'BIGINT', ['9007199254740993', '1']],
      [['90071992547409.93', '1'], 'DECIMAL(16,2)', ['90071992547409.93', '1.00']],
      [['1.23456789012345678901234567890123456789', '1'], 'VARCHAR', ['1.23456789012345678901234567890123456789', '1']],
      [['18446744073709551617', '1'], 'DECIMAL(20,0)', ['18446744073709551617', '1']],
    ];
    for (const [values, type, texts] of cases) {
      const { columns, rows, warnings } = await read({
        rows: heads('v') + values.map((each) => row(number(each))).join(''),
      });
      assert.deepEqual([columns, rows], [{ v: type }, texts.map((each) => [each])]);
      assert.equal(warnings.length, type === 'VARCHAR' ? 1 : 0);
    }
  });

  it('a text makes a column of texts, in which numbers, booleans and times are texts of their values', async () => {
    const { columns, rows } = await read({
      formats: ['yyyy-mm-dd'],
      rows:
        heads('v') +
        row(number('5.0')) +
        row(text('A-1')) +
        row('<c t="b"><v>1</v></c>') +
        row(number('45292', 1)) +
        row(text('007')),
    });
    assert.deepEqual([columns, rows], [{ v: 'VARCHAR' }, [['5'], ['A-1'], ['true'], ['2024-01-01'], ['007']]]);
  });

  it('texts have all runs, no phonetic ones, and escaped characters', async () => {
    const { rows } = await read({
      strings:
        '<si><t>v</t></si><si><r><t xml:space="preserve">one </t></r><r><rPr><b/></rPr><t>two</t></r><rPh sb="0" eb="1"><t>PHONETIC</t></rPh><phoneticPr fontId="1"/></si><si><t>a_x000D_&#10;b</t></si><si><t> x </t></si><si/>',
      rows: '<row><c t="s"><v>0</v></c></row><row><c t="s"><v>1</v></c></row><row><c t="s"><v>2</v></c></row><row><c t="s"><v>3</v></c></row><row><c t="s"><v>4</v></c><c t="str"><f>A1</f><v>_x0041_</v></c></row>',
    });
    assert.deepEqual(rows, [
      ['one two', null],
      ['a\r\nb', null],
      [' x ', null],
      [null, 'A'],
    ]);
  });

  it('the strict form of the standard with prefixes and ISO dates is read', async () => {
    const parts = workbookParts({
      isStrict: true,
      rows: '<row r="2"><c r="B2" t="inlineStr"><is><t>d</t></is></c><c r="C2" t="inlineStr"><is><t>z</t></is></c><c r="D2" t="inlineStr"><is><t>c</t></is></c></row><row r="9"><c r="B9" t="d"><v>2024-01-01T10:00:00</v></c><c r="C9" t="d"><v>2024-01-01T10:00:00Z</v></c><c r="D9" t="d"><v>10:30:00</v></c></row>',
    });
    const sheet = parts['xl/worksheets/sheet1.xml'] ?? '';
    parts['xl/worksheets/sheet1.xml'] = sheet.replace(/<(\/?)(?=[a-z])/gi, '<$1x:').replace('xmlns=', 'xmlns:x=');
    const { columns, rows } = await readBytes(zipOf(parts), { timeZone: 'Europe/Berlin' });
    assert.deepEqual(columns, { d: 'TIMESTAMP', z: 'TIMESTAMP WITH TIME ZONE', c: 'TIME' });
    assert.deepEqual(rows, [['2024-01-01 10:00:00', '2024-01-01 10:00:00', '10:30:00']]);
  });

  it('ignores elements of extensions behind the rows', async () => {
    const behindRows = '<extLst><ext><x14:row xmlns:x14="x"><c r="A1"><f>1</f><v>5</v></c></x14:row></ext></extLst>';
    const { rows, warnings } = await read({ rows: heads('v') + row(number('1')), behindRows });
    assert.deepEqual([rows, warnings], [[['1']], []]);
  });

  it('a part in UTF-16 is read', async () => {
    const parts = workbookParts({ rows: heads('v') + row(text('Ü😀')) });
    const sheet = (parts['xl/worksheets/sheet1.xml'] ?? '').replace('UTF-8', 'UTF-16');
    const { rows } = await readBytes(
      zipOf({ ...parts, 'xl/worksheets/sheet1.xml': Buffer.from(`\ufeff${sheet}`, 'utf16le') }),
    );
    assert.deepEqual(rows, [['Ü😀']]);
  });

  it('days count from 1900 or 1904; errors and invalid days are missing values, with a warning', async () => {
    const error = (code: string): string => `<c t="e"><v>${code}</v></c>`;
    const rows =
      heads('i', 'd', 'e') +
      row(number('1'), number('60', 1), error('#N/A')) +
      row(number('2'), number('61', 1), error('#REF!'));
    const from1900 = await read({ rows, formats: ['dd.mm.yyyy'] });
    assert.deepEqual(from1900.rows, [
      ['1', null, null],
      ['2', '1900-03-01', null],
    ]);
    assert.deepEqual(from1900.warnings, [
      'book.xlsx, the sheet Sheet: dates of a number that is no day, such as 0, are missing values (1 cell, the first is B2).',
      'book.xlsx, the sheet Sheet: errors such as #N/A are missing values (2 cells, the first is C2).',
    ]);
    const from1904 = await read({ rows, formats: ['dd.mm.yyyy'], properties: '<workbookPr date1904="1"/>' });
    assert.deepEqual(from1904.rows, [
      ['1', '1904-03-01', null],
      ['2', '1904-03-02', null],
    ]);
  });

  it('formulas have their stored results; those without one, or with one of another program, get a warning', async () => {
    const formulas = '<c><f>1+1</f><v>2</v></c><c><f>A1</f></c><c t="str"><f>""</f><v></v></c>';
    const rows = heads('a', 'b', 'c') + row(formulas);
    const plain = await read({ rows });
    assert.deepEqual(plain.rows, [['2', null, null]]);
    assert.deepEqual(plain.warnings, [
      'book.xlsx, the sheet Sheet: formulas whose results are not stored are missing values (1 cell, the first is B2): open the workbook in Excel and save it.',
    ]);
    const { warnings } = await read({ rows, names: '<calcPr fullCalcOnLoad="1"/>' });
    assert.match(warnings.join('\n'), /results of formulas are not those of Excel.*\(2 cells, the first is A2\)/);
  });

  describe('names of columns', () => {
    const data = row(number('1'), number('2'), number('3'));
    const cases: readonly (readonly [
      title: string,
      parts: WorkbookParts,
      settings: Record<string, unknown>,
      names: readonly string[],
      count: number,
    ])[] = [
      [
        'are in the first row that is full',
        { rows: row(text('Report')) + row() + heads('a', 'b', 'c') + data },
        {},
        ['a', 'b', 'c'],
        1,
      ],
      [
        'are those of a given row',
        { rows: heads('x', 'y', 'z') + row(text('id'), number('2024.5'), text('c')) + data },
        { headerRow: 2 },
        ['id', '2024.5', 'c'],
        1,
      ],
      ['are letters without a row of names', { rows: data + data }, {}, ['A', 'B', 'C'], 2],
      [
        'are letters where header is false',
        { rows: heads('a', 'b', 'c') + data },
        { header: false },
        ['A', 'B', 'C'],
        2,
      ],
      ['are those of the first row where header is true', { rows: data + data }, { header: true }, ['1', '2', '3'], 1],
      [
        'are joined where cells are merged',
        {
          rows: row(text('Order'), '<c/>', text('Customer')) + row(text('id'), text('date')) + data,
          behindRows: '<mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="C1:C2"/></mergeCells>',
        },
        {},
        ['Order id', 'Order date', 'Customer'],
        1,
      ],
      [
        'need not reach as far as notes beside the rows',
        {
          rows:
            row(text('made by'), text('someone')) +
            heads('a', 'b', 'c') +
            data.repeat(4) +
            row(...['1', '2', '3'].map((each) => number(each)), text('x'), text('y'), text('z')),
        },
        {},
        ['a', 'b', 'c', 'D', 'E', 'F'],
        5,
      ],
      [
        'do not have the title over them',
        {
          rows: row(text('Title')) + heads('a', 'b', 'c') + data,
          behindRows: '<mergeCells><mergeCell ref="A1:C1"/></mergeCells>',
        },
        {},
        ['a', 'b', 'c'],
        1,
      ],
      ['are numbered where they are equal', { rows: heads('Id', 'id', 'id_1') + data }, {}, ['Id', 'id_2', 'id_1'], 1],
    ];
    for (const [title, parts, settings, names, count] of cases) {
      it(title, async () => {
        const { columns, rows } = await read(parts, settings);
        assert.deepEqual([Object.keys(columns), rows.length], [names, count]);
      });
    }

    it('that differ only by case give a warning', async () => {
      const { warnings } = await read({ rows: heads('Id', 'id', 'n_1') + row(text('x'), text('y'), number('1')) });
      assert.deepEqual(warnings, ['book.xlsx: Id and id differ only by case: id is called id_1, also in SQL.']);
    });
  });

  it('settings hold for a workbook, and for a sheet of it', async () => {
    const parts = { rows: heads('a', 'b') + heads('id', 'n') + row(text('?'), text('5')) };
    const settings = {
      types: { n: 'VARCHAR' },
      files: {
        'book.xlsx': { headerRow: 1, nullValues: ['?'] },
        'book.xlsx/Sheet': { headerRow: 2, types: { n: 'BIGINT' } },
      },
    };
    const { columns, rows } = await read(parts, settings);
    assert.deepEqual([columns, rows], [{ id: 'VARCHAR', n: 'BIGINT' }, [[null, '5']]]);
    await withCsvFiles(
      { 'book.xlsx': workbookOf(parts) },
      { settings: { files: { 'book.xlsx/Other': {} } } },
      async (connector) => {
        const { unusedSettings } = await connector.describe({});
        assert.deepEqual(
          unusedSettings?.map(({ path }) => path),
          [['files', 'files', 'book.xlsx/Other']],
        );
      },
    );
  });

  it('a declared type is made of the text; what does not fit is named with sheet and row', async () => {
    const parts = {
      rows: `${heads('d', 'n')}<row r="4">${text('24.12.2024')}${number('5')}</row><row r="7">${text('soon')}</row>`,
    };
    const settings = { types: { d: 'DATE', n: 'VARCHAR' }, dateFormat: '%d.%m.%Y' };
    const fitting = await read({ rows: parts.rows.replace('soon', '01.02.2024') }, settings);
    assert.deepEqual(fitting.rows, [
      ['2024-12-24', '5'],
      ['2024-02-01', null],
    ]);
    await assert.rejects(
      read(parts, settings),
      /^SourceError: book\.xlsx, sheet Sheet, row 7: "soon" in column d is not a DATE\.$/,
    );
  });

  it('rows that end early have missing values, and one that has only such counts', async () => {
    const { rows } = await read(
      { rows: heads('a', 'b', 'c') + row(text('1')) + row('<c/>', text('?')) + row('<c/>', '<c/>', text('3')) },
      { nullValues: ['?'] },
    );
    assert.deepEqual(rows, [
      ['1', null, null],
      [null, null, null],
      [null, null, '3'],
    ]);
  });

  it('texts are dates and times in the formats of the settings, beside cells that are times', async () => {
    const { columns, rows } = await read(
      {
        formats: ['yyyy-mm-dd'],
        rows:
          heads('text', 'day', 'typed', 'other') +
          row(text('24.12.2024 08:30'), text('24.12.2024'), number('45292', 1), text('24.12.2024')) +
          row(text('01.02.2024 00:00'), '<c/>', number('45293', 1), text('x')),
      },
      { timestampFormat: '%d.%m.%Y %H:%M', dateFormat: '%d.%m.%Y' },
    );
    assert.deepEqual(columns, { text: 'TIMESTAMP', day: 'DATE', typed: 'DATE', other: 'VARCHAR' });
    assert.deepEqual(rows, [
      ['2024-12-24 08:30:00', '2024-12-24', '2024-01-01', '24.12.2024'],
      ['2024-02-01 00:00:00', null, '2024-01-02', 'x'],
    ]);
  });

  it('tables are sheets, hidden ones too, and ranges; empty sheets and several ranges are not tables', async () => {
    await withCsvFiles(
      { 'heads.xlsx': fixture('heads.xlsx'), 'types.xlsx': fixture('types.xlsx') },
      {},
      async (connector) => {
        const { objects, complete, undescribed, warnings } = await connector.describe({});
        assert.deepEqual(
          objects.map(({ name }) => name),
          [
            'heads/Report 2024',
            "heads/It's",
            "heads/It's!Local",
            'heads/People',
            'types/Types',
            'types/Formats',
            'types/Numbers',
            'types/Rich & odd',
            'types/Errors',
            'types/Hidden',
          ],
        );
        assert.deepEqual([complete, undescribed?.map(({ name }) => name)], [true, ['heads/Empty', 'heads/Several']]);
        assert.equal(warnings.filter((each) => each.includes('several ranges')).length, 1);
        assert.deepEqual((await staged(connector, 'heads/People')).rows, [
          ['1', 'one'],
          ['2', 'two'],
        ]);
        assert.deepEqual((await staged(connector, "heads/It's!Local")).rows.length, 3);
        const { columns, rows } = await staged(connector, 'heads/Report 2024');
        assert.deepEqual(columns, {
          Customer: 'VARCHAR',
          'Order Number': 'BIGINT',
          'Order Date': 'TIMESTAMP',
          'Payment Amount': 'BIGINT',
          'Payment Date': 'TIMESTAMP',
        });
        assert.deepEqual(rows[0], ['C-0', '100', '2024-10-27 00:00:00', '200', '2024-10-27 05:00:00']);
        await assert.rejects(staged(connector, 'heads/Several'), /the name Several is that of several ranges/);
        await assert.rejects(staged(connector, 'heads/Nothing'), /has no file for the data object heads\/Nothing/);
      },
    );
  });

  it('a range may begin with any of its corners', async () => {
    const rows = heads('x', 'y', 'z') + row(number('1'), number('2'), number('3')) + row(number('4'), number('5'));
    const names = '<definedNames><definedName name="Back">Sheet!$B$2:$A$1</definedName></definedNames>';
    const table = await withCsvFiles({ 'book.xlsx': workbookOf({ rows, names }) }, {}, (connector) =>
      staged(connector, 'book/Back'),
    );
    assert.deepEqual([table.columns, table.rows], [{ x: 'BIGINT', y: 'BIGINT' }, [['1', '2']]]);
  });

  it('a headerRow beyond the last row is told, other than an empty sheet', async () => {
    const rows = heads('x', 'y') + row(number('1'), number('2'));
    await assert.rejects(read({ rows }, { headerRow: 9 }), {
      code: 'source-empty',
      message: /book\.xlsx: headerRow is 9, and the last row of the sheet Sheet is 2\.$/,
    });
    await assert.rejects(read({ rows: '' }, { headerRow: 9 }), /the sheet Sheet is empty\.$/);
  });

  it('Excel tables are data objects without their rows of totals; the first row has the names of columns, unless it is switched off', async () => {
    const at = (reference: string, value: string): string =>
      `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;
    const counted = (reference: string, value: string): string => `<c r="${reference}"><v>${value}</v></c>`;
    const rows = [
      row(at('A1', 'Report')),
      row(at('A2', 'no'), at('B2', 'name'), counted('E2', '7'), at('F2', 'x')),
      row(counted('A3', '1'), at('B3', 'one'), counted('E3', '8'), at('F3', 'y')),
      row(counted('A4', '2'), at('B4', 'two'), counted('E4', '9')),
      row(counted('A5', '3'), at('B5', 'Total')),
    ];
    const tables = [
      'name="Orders" displayName="Orders" ref="A2:B5" totalsRowCount="1"',
      'name="Headless" displayName="Headless" ref="E2:F4" headerRowCount="0"',
      'name="Sheet" displayName="Sheet" ref="A2:B3"',
    ];
    const merged = '<mergeCells count="1"><mergeCell ref="E2:F2"/></mergeCells>';
    const bytes = workbookOf({ rows: rows.join(''), tables, behindRows: merged });
    await withCsvFiles({ 'book.xlsx': bytes }, {}, async (connector) => {
      const { objects, complete } = await connector.describe({});
      assert.deepEqual(
        [complete, ...objects.map(({ name, within }) => [name, within])],
        [
          true,
          ['book/Sheet', undefined],
          ['book/Orders', 'book/Sheet'],
          ['book/Headless', 'book/Sheet'],
          ['book/Sheet!Sheet', 'book/Sheet'],
        ],
      );
      assert.deepEqual(await staged(connector, 'book/Orders'), {
        columns: { no: 'BIGINT', name: 'VARCHAR' },
        rows: [
          ['1', 'one'],
          ['2', 'two'],
        ],
        warnings: [],
      });
      const headless = await staged(connector, 'book/Headless');
      assert.deepEqual(headless.columns, { E: 'BIGINT', F: 'VARCHAR' });
      assert.deepEqual(headless.rows, [
        ['7', 'x'],
        ['8', 'y'],
        ['9', null],
      ]);
      assert.match(headless.warnings.join(), /the table Headless: no row with the names of columns was found/);
      assert.deepEqual((await staged(connector, 'book/Sheet!Sheet')).rows, [['1', 'one']]);
    });
    const settings = { files: { 'book.xlsx/Orders': { headerRow: 3 } } };
    await withCsvFiles({ 'book.xlsx': bytes }, { settings }, async (connector) => {
      assert.deepEqual((await staged(connector, 'book/Orders')).columns, { '1': 'BIGINT', one: 'VARCHAR' });
    });
  });

  it('a cancelled reader of a workbook ends no other', async () => {
    const strings = Array.from({ length: 2000 }, (_, index) => `<si><t>text ${index}</t></si>`).join('');
    const bytes = workbookOf({ rows: heads('v') + row('<c t="s"><v>1999</v></c>'), strings });
    await withCsvFiles({ 'book.xlsx': bytes }, {}, async (_, folder) => {
      const path = join(folder, 'data/book.xlsx');
      for (const isOpened of [false, true]) {
        const workbooks = createWorkbooks();
        const [table] = isOpened
          ? await workbooks.tables(path)
          : [{ name: 'Sheet', sheet: 'Sheet', part: 'xl/worksheets/sheet1.xml' }];
        assert.ok(table);
        const read = async (signal?: AbortSignal): Promise<readonly string[]> => {
          const texts: string[] = [];
          const add = ({ cells }: { readonly cells: readonly { readonly text: string }[] }): void => {
            texts.push(...cells.map((cell) => cell.text));
          };
          await workbooks.read(path, table, { row: add }, signal);
          return texts;
        };
        const user = new AbortController();
        const cancelled = read(user.signal);
        const other = read();
        user.abort(new Error('cancelled by the user'));
        await assert.rejects(cancelled, /cancelled by the user/);
        assert.deepEqual(await other, ['v', 'text 1999']);
      }
    });
  });

  it('a query of several sheets of one workbook reads each', async () => {
    await withCsvFiles({ 'types.xlsx': fixture('types.xlsx') }, {}, async (connector) => {
      const names = ['types/Types', 'types/Hidden'];
      const query = fileQuery(
        'SELECT count(*) AS n FROM "types/Types" AS t JOIN "types/Hidden" AS h ON t.id = h.id',
        names,
      );
      const { rows } = await connector.preview(query, { limit: 10 });
      assert.deepEqual(
        rows.map((each) => String(each[0])),
        ['1'],
      );
      await withBuildDatabase(async (staging) => {
        const pull = await connector.openPull(staging, {});
        await pull.load(query, 'staged', {});
        await pull.close();
        assert.deepEqual((await staging.table('SELECT c1::VARCHAR FROM staged')).rows, [['1']]);
      });
    });
  });

  it('ignores the lock file that Excel writes beside an open workbook', async () => {
    const files = { 'book.xlsx': workbookOf({ rows: heads('v') + row(number('1')) }), '~$book.xlsx': '\u0004User' };
    await withCsvFiles(files, {}, async (connector) => {
      const { objects, complete, warnings } = await connector.describe({});
      assert.deepEqual([objects.map(({ name }) => name), complete, warnings], [['book/Sheet'], true, []]);
    });
  });

  it('a workbook that is saved again is read again', async () => {
    const parts = (value: string): Buffer => workbookOf({ rows: heads('v') + row(number(value)) });
    await withCsvFiles({ 'book.xlsx': parts('1') }, {}, async (connector, folder) => {
      assert.deepEqual((await staged(connector, 'book/Sheet')).rows, [['1']]);
      writeFileSync(join(folder, 'data/book.xlsx'), parts('22.5'));
      assert.deepEqual((await staged(connector, 'book/Sheet')).rows, [['22.5']]);
    });
  });

  describe('that are damaged are refused by name', () => {
    const good = workbookParts({ rows: heads('v') + row(number('1')), strings: '<si><t>x</t></si>' });
    const withSheet = (rows: string): Buffer => workbookOf({ rows });
    const without = (name: string): Buffer =>
      zipOf(Object.fromEntries(Object.entries(good).filter(([each]) => each !== name)));
    const compound = (directory: string): Buffer => {
      const head = Buffer.alloc(512);
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(head);
      head.writeUInt16LE(9, 30);
      return Buffer.concat([head, Buffer.from(directory, 'utf16le')]);
    };
    const cases: readonly (readonly [title: string, bytes: Uint8Array, said: RegExp])[] = [
      ['cut off', zipOf(good).subarray(0, 900), /book\.xlsx is damaged, or no Excel workbook: /],
      ['no archive', Buffer.from('a,b\n1,2\n'), /it is no zip archive/],
      ['empty', Buffer.alloc(0), /book\.xlsx is empty/],
      ['encrypted', compound('EncryptedPackage'), /book\.xlsx is encrypted with a password/],
      ['old', compound('Workbook'), /book\.xlsx is a workbook in the old format \.xls/],
      ['without a sheet', without('xl/worksheets/sheet1.xml'), /it has no part xl\/worksheets\/sheet1\.xml/],
      ['without its main part', without('xl/workbook.xml'), /it has no part xl\/workbook\.xml/],
      ['without relations', without('_rels/.rels'), /it has no part _rels\/\.rels/],
      [
        'with a part outside',
        zipOf(good, { rename: { 'xl/styles.xml': '../styles.xml' } }),
        /invalid relative path: \.\.\/styles\.xml/,
      ],
      [
        'with another checksum',
        zipOf(good, { wrongChecksum: 'xl/worksheets/sheet1.xml' }),
        /sheet1\.xml has another checksum/,
      ],
      [
        'with two sheets of one name',
        zipOf({
          ...good,
          'xl/workbook.xml': (good['xl/workbook.xml'] ?? '').replace(
            '</sheets>',
            '<sheet name="SHEET" r:id="rId1"/></sheets>',
          ),
        }),
        /two of its sheets are called SHEET/,
      ],
      ['with broken XML', withSheet('<row><c></row>'), /its XML is not well-formed/],
      [
        'with a document type',
        zipOf({
          ...good,
          'xl/workbook.xml': `<!DOCTYPE workbook>${(good['xl/workbook.xml'] ?? '').replace(/^<\?.*?\?>/, '')}`,
        }),
        /document type/,
      ],
      ['with a text that is missing', withSheet('<row><c t="s"><v>5</v></c></row>'), /cell A1 names the shared text 5/],
      [
        'with a number that is none',
        withSheet('<row><c r="A1"/><c r="C1"><v>abc</v></c></row>'),
        /cell C1 has "abc", which is no number/,
      ],
      [
        'with a boolean that is none',
        withSheet('<row><c t="b"><v>2</v></c></row>'),
        /cell A1 has "2", which is no boolean/,
      ],
      ['with rows out of order', withSheet('<row r="2"/><row r="1"/>'), /row 1 stands behind row 2/],
      [
        'with cells out of order',
        withSheet('<row r="2"><c r="B2"/><c r="A2"/></row>'),
        /row 2 has a cell A2 at the wrong place/,
      ],
      [
        'with more columns than there are',
        withSheet('<row r="1"><c r="XFE1"/></row>'),
        /row 1 has a cell XFE1 at the wrong place/,
      ],
    ];
    for (const [title, bytes, said] of cases) {
      it(title, async () => {
        await assert.rejects(readBytes(bytes), { name: 'SourceError', message: said });
      });
    }

    it('one beside others leaves these', async () => {
      await withCsvFiles({ 'a.xlsx': 'no workbook', 'b.xlsx': zipOf(good) }, {}, async (connector) => {
        const { objects, complete, warnings } = await connector.describe({});
        assert.deepEqual([objects.map(({ name }) => name), complete], [['b/Sheet'], false]);
        assert.match(
          warnings.join('\n'),
          /a\.xlsx is damaged, or no Excel workbook: it is no zip archive\. Save the workbook again/,
        );
      });
    });

    it('larger ones than the limits', async () => {
      await withCsvFiles({ 'book.xlsx': zipOf(good) }, {}, async (_, folder) => {
        const path = join(folder, 'data/book.xlsx');
        await assert.rejects(
          withZipParts(path, () => Promise.resolve(), { limit: 100 }),
          /book\.xlsx is too large: unpacked, it has more than 100 bytes/,
        );
        await assert.rejects(
          withZipParts(path, (parts) => readSharedStrings(parts.read('xl/sharedStrings.xml'), undefined, 0), {}),
          /its texts have more than 0 characters together/,
        );
        const workbooks = createWorkbooks();
        const [table] = await workbooks.tables(path);
        assert.ok(table);
        const plan = { kind: 'workbook', headRow: 0, sheetColumns: [0], nullValues: [], columns: [] } as const;
        const copy = join(folder, 'copy.json');
        await assert.rejects(
          writeSheetCopy(workbooks, { path, table, plan }, copy, undefined, 10),
          /book\.xlsx, sheet Sheet has more than 10 bytes as rows of texts/,
        );
      });
    });
  });
});
