import assert from 'node:assert/strict';
import { csvRecords } from '../../../server/src/connectors/csv/csv-records.ts';
import { detectDelimiter } from '../../../server/src/connectors/csv/detect-delimiter.ts';

/** One row per text: delimiter, lines above the header, fields. */
const formats: readonly (readonly [title: string, text: string, delimiter: string, skip: number, fields: number])[] = [
  ['commas', 'a,b\n1,2\n', ',', 0, 2],
  ['semicolons with commas inside', 'a;b\n1,5;2,5\n3,5;4,5\n', ';', 0, 2],
  ['semicolons with commas in quotes', 'a;b;c\n"1,2,3";2;3\n', ';', 0, 3],
  ['tabs with commas in text', 'a\tb\nhello, you\t2\nhello\t3\n', '\t', 0, 2],
  ['bars', 'a|b|c\n1|2|3\n', '|', 0, 3],
  ['one column', 'a\n1\n2\n', ',', 0, 1],
  ['a ragged row changes nothing', 'a,b\n1,2\n3,4,5\n6,7\n', ',', 0, 2],
  ['a title', 'Report\n\na,b\n1,2\n', ',', 2, 2],
  ['a title with a quoted line break', '"Report\nof 2020"\na,b\n1,2\n', ',', 1, 2],
  ['blank lines', '\n\r\na,b\n1,2\n', ',', 2, 2],
  ['a title as wide as the table', 'Report,,\n,,\na,b,c\n1,2,3\n', ',', 2, 3],
  ['a header with few names', 'a,,\n1,2,3\n4,5,6\n', ',', 0, 3],
  ['a header that begins without a name', ',b\nx,y\nz,w\n', ',', 0, 2],
  ['titles that contain the delimiter', 'Report; 2024\nfrom;to\na;b;c;d\n1;2;3;4\n5;6;7;8\n9;0;1;2\n', ';', 2, 4],
  ['a header of fewer names is no title', 'a;b;c\n1;2;3;4\n1;2;3;4\n1;2;3;4\n', ';', 0, 4],
  ['a delimiter that the first line names', 'sep=;\r\na;b\r\n1,5;2,5\r\n', ';', 1, 2],
  ['a named delimiter in quotes, above a title', '\ufeff"sep=|"\nReport\na|b\n1|2\n', '|', 2, 2],
  ['a wider first row is not a title line', 'a,b,c\n1,2\n3,4\n5,6\n', ',', 0, 2],
  ['delimiters inside quoted line breaks', 'a,b\n"x\n;;;\n;;;",2\n', ',', 0, 2],
  ['an empty text', '', ',', 0, 1],
];

describe('detectDelimiter', () => {
  for (const [title, text, delimiter, skip, fields] of formats) {
    it(title, () => {
      assert.deepEqual(detectDelimiter(text, {}), { delimiter, quote: '"', escape: '"', skip, fields });
    });
  }

  it('keeps given options', () => {
    assert.deepEqual(
      detectDelimiter("a,b;c\n'1;2',3;4\n", { delimiter: ';', quote: "'", escape: '\\', header: false }),
      {
        delimiter: ';',
        quote: "'",
        escape: '\\',
        skip: 0,
        fields: 2,
      },
    );
  });

  it('takes the line that headerRow names for the header', () => {
    const text = 'Report; of; 2024\nby; me\n"two\nlines"\na;b;c\n1;2;3\n';
    const format = { quote: '"', escape: '"', fields: 3 };
    assert.deepEqual(detectDelimiter(text, { headerRow: 5 }), { ...format, delimiter: ';', skip: 3 });
    assert.deepEqual(detectDelimiter(text, { headerRow: 1 }), { ...format, delimiter: ';', skip: 0 });
  });

  it('distinguishes records from lines', () => {
    const text = '\ufeffa,b\r\n"1\r\n2",x\r\n\r\n3,"say ""hi"""\r\n4';
    assert.deepEqual(
      [...csvRecords(text, { delimiter: ',', quote: '"' })].map(({ fields, line }) => [fields, line]),
      [
        [2, 1],
        [2, 2],
        [2, 5],
        [1, 6],
      ],
    );
  });
});
