import type { DuckDbSession } from '../../store/duckdb-store.ts';
import type { CheckResult } from '../log-check.ts';
import { readJsonLog } from './read-json.ts';
import { readSqliteLog } from './read-sqlite.ts';
import { readXmlLog } from './read-xml.ts';
import { fixedTables } from './sqlite-checks.ts';

/** The three file formats of OCEL 2.0. */
export type OcelForm = 'ocel-json' | 'ocel-xml' | 'ocel-sqlite';

/** A log in `logTables`. */
interface ReadLog {
  /** Checks of the file format only. */
  readonly results: readonly CheckResult[];
  /** Whether the log is in the database; false for an SQLite file without the tables of OCEL. */
  readonly read: boolean;
  /** Whether the format requires a zone in times. */
  readonly times: 'zoned' | 'plain';
}

type LogReader = (path: string, database: DuckDbSession, folder: string, signal: AbortSignal) => Promise<ReadLog>;

/** Each reads a file into `logTables` of an empty database, through temporary files in `folder`. Rejects with `CheckError`. */
export const ocelReaders: { readonly [Form in OcelForm]: LogReader } = {
  // RFC 3339, required by the JSON format, needs a zone; XML's dateTime does not.
  'ocel-json': async (...log) => ({ results: await readJsonLog(...log), read: true, times: 'zoned' }),
  'ocel-xml': async (...log) => ({ results: await readXmlLog(...log), read: true, times: 'plain' }),
  'ocel-sqlite': async (...log) => ({ ...(await readSqliteLog(...log)), times: 'plain' }),
};

/** Checks that must hold before a log can be read as tables, because the tables cannot contain the mistakes that they find. */
const neededToRead: readonly string[] = [
  'objectTypes, eventTypes, objects and events are there',
  'No key of an object is there twice',
  'objectTypes, eventTypes, objects and events are lists',
  'Their items are objects',
  'Events and objects are objects with texts for id and type, and lists for attributes and relationships',
  'object-types, event-types, objects and events are there, in this order',
  'Elements stand where the published schema and examples have them',
  'The six fixed tables are there',
  'Tables of object types have ocel_id',
  ...fixedTables.map(({ name, columns }) => `${name} has the columns ${columns.join(', ')}`),
];

/** The failed checks because of which a file cannot be read as tables. */
export function unreadable({ results }: Pick<ReadLog, 'results'>): readonly CheckResult[] {
  return results.filter(({ name, ok }) => !ok && neededToRead.includes(name));
}

/** Checks that find what has no place in the tables of a log. */
const findLeftOut: readonly RegExp[] = [
  /^Every table called (event|object)_… belongs to /,
  /^There are no elements but those of OCEL 2\.0$/,
  /^There are no keys but objectTypes, eventTypes, objects and events$/,
  /^Later rows of .* name the changed field and fill nothing else$/,
];

/** The failed checks that find parts of a readable file that are left out. */
export function leftOut({ results }: Pick<ReadLog, 'results'>): readonly CheckResult[] {
  return results.filter(({ name, violations }) => violations > 0 && findLeftOut.some((each) => each.test(name)));
}

/** How many bytes tell form and version. */
export const tellingBytes = 4096;

/** Whether a file is a log of OCEL 1.0, by its first bytes. Its XML resembles that of XES, which names itself in its root. */
export function isOcelOne(begin: Buffer): boolean {
  const text = begin.toString('latin1');
  if (ocelFormOf(begin) === 'ocel-json') return /"ocel:(?:global-|version|events|objects)/.test(text);
  const [root] = /<log(?:\s[^>]*)?>/.exec(text) ?? [];
  return root !== undefined && !/xes/i.test(root) && /<global\s/.test(text);
}

/** What to do with a log of OCEL 1.0. */
export const ocelOneRemedy = 'Convert it first, such as with pm4py: write_ocel2(read_ocel("old"), "new").';

/** The format of a file by the first bytes of its content. */
export function ocelFormOf(begin: Buffer): OcelForm | undefined {
  const text = begin.toString('latin1');
  if (text.startsWith('SQLite format 3\0')) return 'ocel-sqlite';
  // Without its byte order mark, and without the zeros of UTF-16, which readers of JSON refuse by name.
  const first = text
    .replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .replaceAll('\0', '')
    .trimStart();
  if (first.startsWith('{')) return 'ocel-json';
  return first.startsWith('<') ? 'ocel-xml' : undefined;
}
