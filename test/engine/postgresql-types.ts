/** A PostgreSQL type with its extreme values, as literals. */
export interface TypeCase {
  readonly type: string;
  readonly values: readonly string[];
  /** The text of a value; PostgreSQL's output if not given. */
  readonly form?: 'boolean' | 'number' | 'float' | 'time' | 'json' | 'hex';
}

const floats = ['NaN', 'Infinity', '-Infinity', '0', '-0', '0.1', '-1', '123456.75', '16777216'];
const dates = ['4714-11-24 BC', '0044-03-15 BC', '0001-12-31 BC', '0001-01-01', '9999-12-31', '10000-01-01'];
const times = [
  ...['4714-11-24 00:00:00 BC', '4713-01-01 00:00:00 BC', '0044-03-15 12:00:00.5 BC', '0001-12-31 23:59:59.999999 BC'],
  ...['0001-01-01 00:00:00', '1582-10-10 00:00:00', '9999-12-31 23:59:59.999999', '10000-01-01 00:00:00'],
  ...['294247-01-10 04:00:54.775806', 'infinity', '-infinity'],
];
const numbers = ['NaN', 'Infinity', '-Infinity', '0', '-0.0', '1.500', '100', '-1e-20', '0.30000000000000004'];
const digits = (count: number): string => '9'.repeat(count);
const texts = [
  '',
  ' ',
  'a',
  'A',
  'NULL',
  '\\N',
  '"',
  '""',
  "it's",
  'a,b',
  'a\r\nb',
  '\t',
  'ä😀',
  'null',
  ' BC',
  '0044-03-15 BC',
];

/** Every built-in PostgreSQL type of columns, except those written only by extensions and the server itself. */
export const typeCases: readonly TypeCase[] = [
  { type: 'boolean', values: ['t', 'f'], form: 'boolean' },
  { type: 'bytea', values: ['', '\\x00', '\\x00ff7e22', '\\x5c78'], form: 'hex' },
  { type: '"char"', values: ['', 'a', ',', '"', '\\377'] },
  { type: 'name', values: [...texts, 'x'.repeat(63)] },
  { type: 'text', values: [...texts, 'x'.repeat(70_000)] },
  { type: 'varchar', values: texts },
  { type: 'varchar(3)', values: ['', ' a ', 'abc'] },
  { type: 'char', values: ['a', ' ', '"'] },
  { type: 'char(4)', values: ['', 'ab', 'abcd', ' a'] },
  { type: 'smallint', values: ['-32768', '0', '32767'] },
  { type: 'integer', values: ['-2147483648', '0', '2147483647'] },
  { type: 'bigint', values: ['-9223372036854775808', '0', '9223372036854775807'] },
  { type: 'oid', values: ['0', '4294967295'] },
  { type: 'real', values: [...floats, '1e-45', '3.4028235e38', '1e6', '1234567', '1e15', '1e16'], form: 'float' },
  {
    type: 'double precision',
    values: [
      ...floats,
      '5e-324',
      '1.7976931348623157e308',
      '1e14',
      '1e15',
      '9007199254740993',
      '1e16',
      '1e-5',
      '0.0001',
    ],
    form: 'float',
  },
  {
    type: 'numeric',
    values: [...numbers, `${digits(60)}.${digits(60)}`, `-${digits(1000)}`, `0.${'0'.repeat(1000)}1`, '1e131071'],
    form: 'number',
  },
  { type: 'numeric(10,2)', values: ['NaN', '0', '-0.01', '99999999.99', '12.50'], form: 'number' },
  { type: 'numeric(38,0)', values: [digits(38), `-${digits(38)}`, '0'], form: 'number' },
  { type: 'numeric(38,38)', values: [`0.${digits(38)}`, '-0.1', '0'], form: 'number' },
  { type: 'numeric(39,0)', values: [digits(39), 'NaN'], form: 'number' },
  { type: 'numeric(3,-2)', values: ['99949', '100', '-1299'], form: 'number' },
  { type: 'numeric(3,5)', values: ['0.00999', '-0.00012'], form: 'number' },
  { type: 'money', values: ['-92233720368547758.08', '92233720368547758.07', '0', '-0.01'] },
  { type: 'date', values: [...dates, '5874897-12-31', 'infinity', '-infinity'], form: 'time' },
  { type: 'timestamp', values: times, form: 'time' },
  { type: 'timestamp(0)', values: ['0044-03-15 12:00:00 BC', '2024-02-29 23:59:59'], form: 'time' },
  {
    type: 'timestamptz',
    values: [
      ...times.map((time) => (time.endsWith('y') ? time : time.replace(/( BC)?$/, '+00$1'))),
      '0044-03-15 12:00:00+15:59 BC',
    ],
    form: 'time',
  },
  { type: 'time', values: ['00:00:00', '24:00:00', '23:59:59.999999', '12:00:00.5'] },
  { type: 'timetz', values: ['00:00:00+15:59', '24:00:00-15:59', '23:59:59.999999+00', '12:00:00+05:30:15'] },
  {
    type: 'interval',
    values: [
      ...['-178000000 years', '178000000 years', '1 mon -1 day 00:00:00.000001', '-1 mon +1 day -00:00:00.000001', '0'],
      ...['2562047788:00:54.775807', '24:00:00', '1 day', 'infinity', '-infinity'],
    ],
  },
  { type: 'json', values: ['null', '{"a": [1,  2]}', '{"a":1,"a":2}', '1.00', '1e400', '"\\u0000"', '"NaN"', '[]'] },
  { type: 'jsonb', values: ['null', '{"b":1,"a":"x,y"}', '1.00', '"ä\\n"', '12345678901234567890.10'] },
  { type: 'jsonpath', values: ['$.a[*] ? (@ > 1)', 'strict $'] },
  { type: 'xml', values: ['<a b="1">ä &lt; </a>', 'a', ''] },
  { type: 'uuid', values: ['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'] },
  {
    type: 'inet',
    values: ['10.0.0.1', '10.0.0.1/24', '0.0.0.0/0', '::1', '2001:db8::ff00:42:8329/64', '::ffff:1.2.3.4'],
  },
  { type: 'cidr', values: ['10.0.0.0/8', '10.0.0.1', '::/0', '2001:db8::/32'] },
  { type: 'macaddr', values: ['08:00:2b:01:02:03', 'ff:ff:ff:ff:ff:ff'] },
  { type: 'macaddr8', values: ['08:00:2b:01:02:03:04:05'] },
  { type: 'bit(3)', values: ['101', '000'] },
  { type: 'bit varying', values: ['', '0', '1'.repeat(100)] },
  { type: 'tsvector', values: ['', "a:1A 'b c':2,3", "'it''s'"] },
  { type: 'tsquery', values: ["a & !b | 'c d':*A", 'a <-> b'] },
  { type: 'point', values: ['(1,-2.5)', '(NaN,Infinity)', '(1e+300,-0)'] },
  { type: 'line', values: ['{1,-1,0}', '{NaN,-1,Infinity}'] },
  { type: 'lseg', values: ['[(0,0),(1,1)]'] },
  { type: 'box', values: ['(1,1),(0,0)', '(Infinity,1),(-Infinity,0)'] },
  { type: 'path', values: ['[(0,0),(1,1)]', '((0,0),(1,1))'] },
  { type: 'polygon', values: ['((0,0),(1,1),(0,1))'] },
  { type: 'circle', values: ['<(0,0),1>', '<(1,2),Infinity>'] },
  { type: 'pg_lsn', values: ['0/0', 'FFFFFFFF/FFFFFFFF'] },
  { type: 'pg_snapshot', values: ['10:20:10,14,15'] },
  { type: 'txid_snapshot', values: ['10:20:10,14,15'] },
  { type: 'xid', values: ['0', '4294967295'] },
  { type: 'xid8', values: ['0', '18446744073709551615'] },
  { type: 'cid', values: ['0', '4294967295'] },
  { type: 'tid', values: ['(0,1)', '(4294967295,65535)'] },
  { type: 'refcursor', values: ['', 'a b'] },
  { type: 'aclitem', values: ['=r/postgres', 'postgres=arwdDxt/postgres'] },
  { type: 'regclass', values: ['pg_class', '0', '4294967295'] },
  { type: 'regcollation', values: ['"C"'] },
  { type: 'regconfig', values: ['simple'] },
  { type: 'regdictionary', values: ['simple'] },
  { type: 'regnamespace', values: ['pg_catalog', 'public'] },
  { type: 'regoper', values: ['|/'] },
  { type: 'regoperator', values: ['+(integer,integer)', '-(NONE,integer)'] },
  { type: 'regproc', values: ['pg_relation_is_publishable'] },
  { type: 'regprocedure', values: ['abs(integer)'] },
  { type: 'regrole', values: ['postgres'] },
  { type: 'regtype', values: ['integer', 'timestamp with time zone', 'numeric[]'] },
  { type: 'int2vector', values: ['', '1 -2'], form: 'json' },
  { type: 'oidvector', values: ['', '0 4294967295'], form: 'json' },
  { type: 'int4range', values: ['empty', '[1,5)', '(,)', '(,5)', '[-2147483648,2147483647)'] },
  { type: 'int8range', values: ['[1,5)', '[-9223372036854775808,)'] },
  { type: 'numrange', values: ['[1.50,2]', '(NaN,)', '[,Infinity]'] },
  { type: 'daterange', values: ['[0044-03-15 BC,infinity]', '[-infinity,2024-01-01)', 'empty'] },
  { type: 'tsrange', values: ['["0044-03-15 12:00:00 BC",infinity)', '(,"2024-01-01 00:00:00.5"]'] },
  { type: 'tstzrange', values: ['["0044-03-15 12:00:00+00 BC",)', '(,"2024-01-01 00:00:00.5+00"]'] },
  { type: 'int4multirange', values: ['{}', '{[1,2),[3,4)}', '{(,)}'] },
  { type: 'int8multirange', values: ['{[1,2)}'] },
  { type: 'nummultirange', values: ['{[1.0,1.5),[2,NaN]}'] },
  { type: 'datemultirange', values: ['{[0044-03-15 BC,2024-01-01)}'] },
  { type: 'tsmultirange', values: ['{["0044-03-15 12:00:00 BC",)}'] },
  { type: 'tstzmultirange', values: ['{(,"2024-01-01 00:00:00+00")}'] },
  // User-defined types.
  { type: 'mood', values: ['two words', '', 'it\'s "so"', 'sad'] },
  { type: 'positive', values: ['1', '2147483647'] },
  { type: 'day', values: ['0044-03-15 BC', '2024-02-29', 'infinity'], form: 'time' },
  { type: 'price', values: ['3.10', 'NaN', '-0'], form: 'number' },
  { type: 'pair', values: ['(1,x)', '(,)', '(2,"")', '(3,"a,b""")'], form: 'json' },
  { type: 'moments', values: ['("0044-03-15 BC","0044-03-15 12:00:00 BC",NaN)', '(,infinity,)'], form: 'json' },
  { type: 'pair[]', values: ['{"(1,x)",NULL}', '{}'], form: 'json' },
  { type: 'tags', values: ['{a,b}', '{}'], form: 'json' },
  { type: 'moodrange', values: ['["",sad]', 'empty'] },
  {
    type: 'integer[]',
    values: ['{}', '{1,NULL,3}', '{{1,2},{3,4}}', '[0:1]={1,2}', '{1,2}', '[1:1][-2:-1]={{1,2}}'],
    form: 'json',
  },
  { type: 'text[]', values: ['{a,NULL,"NULL","",",","\\"","{}"}', '{NULL}'], form: 'json' },
  { type: 'double precision[]', values: ['{NaN,Infinity,0.1}'], form: 'json' },
  { type: 'numeric[]', values: ['{NaN,1.500}', '{1.5}'], form: 'json' },
  { type: 'date[]', values: ['{"0044-03-15 BC",infinity}'], form: 'json' },
  { type: 'timestamptz[]', values: ['{"0044-03-15 12:00:00+00 BC",2024-01-01 00:00:00.5+00}'], form: 'json' },
  { type: 'bytea[]', values: ['{"\\\\x00ff"}'], form: 'json' },
  { type: 'daterange[]', values: ['{"[2024-01-01,2024-01-02)"}'], form: 'json' },
  { type: 'jsonb[]', values: ['{"{\\"a\\": 1}",NULL}'], form: 'json' },
];

/** User-defined types, for `typeCases`. */
export const userTypes = `
  CREATE TYPE mood AS ENUM ('', 'two words', 'it''s "so"', 'sad');
  CREATE DOMAIN positive AS int CHECK (VALUE > 0);
  CREATE DOMAIN day AS date;
  CREATE DOMAIN amount AS numeric(8,2); CREATE DOMAIN price AS amount;
  CREATE TYPE pair AS (a int, b text);
  CREATE TYPE moments AS (d date, t timestamp, n numeric);
  CREATE DOMAIN tags AS text[];
  CREATE TYPE moodrange AS RANGE (subtype = mood);
`;

/** Column types that only the server writes, or that cannot be read back. */
export const internalTypes: readonly string[] = [
  'gtsvector',
  'pg_brin_bloom_summary',
  'pg_brin_minmax_multi_summary',
  'pg_dependencies',
  'pg_mcv_list',
  'pg_ndistinct',
  'pg_node_tree',
];
