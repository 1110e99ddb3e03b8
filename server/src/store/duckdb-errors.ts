/** A DuckDB error with a displayable message and its details. */
export class DuckDbError extends Error {
  constructor(
    readonly failure: DuckDbFailure,
    cause?: unknown,
  ) {
    super(failure.message, { cause });
    this.name = 'DuckDbError';
  }
}

/** By name: a program may load this module as ESM and as CommonJS, which gives two classes. */
export function isDuckDbError(error: unknown): error is DuckDbError {
  return error instanceof Error && error.name === 'DuckDbError';
}

/**
 * Whether a statement ran out of memory. Checks the kind, because the error may come from another copy of this module.
 */
export function isOutOfMemory(error: unknown): boolean {
  return kindOf(error) === 'out-of-memory';
}

/** Whether a statement found no room on the disk, neither for a table nor for what does not fit into memory. */
export function isDiskFull(error: unknown): boolean {
  return kindOf(error) === 'disk-full';
}

function kindOf(error: unknown): DuckDbFailureKind | undefined {
  return error instanceof Error && 'failure' in error ? (error as DuckDbError).failure.kind : undefined;
}

/** A parsed DuckDB error. */
export interface DuckDbFailure {
  readonly kind: DuckDbFailureKind;
  /** DuckDB's message without general advice and the list of reader settings. */
  readonly message: string;
  /** UTF-16 offset into the statement, if DuckDB reports one. */
  readonly position?: number | undefined;
  /** The unknown name, if that is the reason. */
  readonly name?: string | undefined;
  /** Names suggested by DuckDB. */
  readonly candidates: readonly string[];
  /** The unreadable file, as named by DuckDB. */
  readonly file?: string | undefined;
  /** 1-based line of the file. */
  readonly line?: number | undefined;
  /** The line as far as DuckDB prints it. */
  readonly lineText?: string | undefined;
}

export type DuckDbFailureKind =
  | 'interrupted'
  | 'disk-full'
  | 'out-of-memory'
  | 'file-locked'
  | 'not-a-database'
  | 'permission'
  | 'file-missing'
  | 'file-malformed'
  | 'table-missing'
  | 'column-missing'
  | 'type-mismatch'
  | 'syntax'
  | 'other';

/** Parses an error of a DuckDB with `errors_as_json`; `sql` is the executed statement. */
export function readDuckDbError(error: unknown, sql = ''): DuckDbFailure {
  const raw = error instanceof Error ? error.message : String(error);
  const json = parseJson(raw);
  const type = json['exception_type'] ?? /^([\w ]+?) (?:Error|exception):/i.exec(raw)?.[1] ?? '';
  const text = json['exception_message'] ?? raw.replace(/^[\w ]+ (?:Error|exception): /i, '');
  const field = /^Could not find key "(.+)" in struct/.exec(text)?.[1];
  const name = json['name'] ?? field ?? /^Table with name "?([^"\s]+)"? does not/.exec(text)?.[1];
  const file =
    /^ {2}file = (.+)$/m.exec(text)?.[1] ?? /\b(?:file|path|pattern)\b[^"\n]{0,40}"([^"]+)"/i.exec(text)?.[1];
  const line = faultyLine(text);
  const lineText = /^Original Line: ?(.*)$/m.exec(text)?.[1];
  return {
    kind: failureKind(type, json['error_subtype'], text),
    message: field === undefined ? plainMessage(text) : `An object of the data has no field "${field}".`,
    position: readPosition(sql, json['position'], field),
    name,
    candidates:
      field === undefined ? (json['candidates']?.split(',').map((each) => each.trim()) ?? []) : quotedNames(text),
    file: file?.trim(),
    line,
    lineText,
  };
}

function readPosition(sql: string, position: string | undefined, field: string | undefined): number | undefined {
  if (position !== undefined) return utf16Offset(sql, Number(position));
  return field === undefined ? undefined : fieldOffset(sql, field);
}

/** Where a statement names a field of an object, whose place DuckDB does not report; `undefined` where it may be several. */
function fieldOffset(sql: string, field: string): number | undefined {
  const name = field.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  const places = [...sql.matchAll(new RegExp(`(?<=\\.\\s*)(?:${name}(?![\\p{L}\\p{N}_])|"${name}")`, 'giu'))];
  return places.length === 1 ? places[0]?.index : undefined;
}

/** `Candidate Entries: "created", "state"` */
function quotedNames(text: string): readonly string[] {
  const list = /^Candidate Entries: (.*)$/m.exec(text)?.[1] ?? '';
  return [...list.matchAll(/"((?:[^"]|"")*)"/g)].map(([, name = '']) => name);
}

/** The line of malformed JSON is one too low, that of conversion errors is correct. */
function faultyLine(text: string): number | undefined {
  const csv = /\bLine: (\d+)/.exec(text)?.[1];
  if (csv !== undefined) return Number(csv);
  const json = /\bin line (\d+)/.exec(text)?.[1];
  return json === undefined ? undefined : Number(json) - (/Malformed JSON/.test(text) ? 1 : 0);
}

/** Error kinds; the first pattern that matches `type|subtype|text` applies. */
const kinds: readonly (readonly [RegExp, DuckDbFailureKind])[] = [
  [/^INTERRUPT\|/i, 'interrupted'],
  [
    // Errors of conversions and of CSV files quote values, which may hold such words.
    /^(?!Conversion\||Invalid Input\|)[^]*(?:No space left on device|Disk quota exceeded|File too large|max_temp_directory_size|not enough space on the disk)/i,
    'disk-full',
  ],
  [/^Out of Memory\||failed to allocate|bad_alloc/i, 'out-of-memory'],
  [/Could not set lock on file|being used by another process|Conflicting lock/i, 'file-locked'],
  [/not a valid DuckDB database file|database file version|serialization version/i, 'not-a-database'],
  [/^Permission\||Permission denied|Access is denied|Read-only file system/i, 'permission'],
  [
    /No files found that match|No such file or directory|database does not exist|cannot find the (?:file|path)/i,
    'file-missing',
  ],
  [
    /CSV Error|when sniffing|Malformed JSON|JSON transform error|File is not \S+ encoded|state machine|max_line_size|Parquet|magic bytes|GZIP|zlib|utf-?8|unicode/i,
    'file-malformed',
  ],
  [/^Catalog\|.*\|Table with name .* does not exist/, 'table-missing'],
  [
    /\|COLUMN_NOT_FOUND\||Could not find key .* in struct|does not have a column named|Referenced table .* not found/,
    'column-missing',
  ],
  [
    /^Conversion\||^Mismatch Type\||Cannot compare values|No function matches|Cannot mix values|explicit (?:type )?cast/i,
    'type-mismatch',
  ],
  [/^Parser\||^syntax error/, 'syntax'],
];

function failureKind(type: string, subtype: string | undefined, text: string): DuckDbFailureKind {
  const line = `${type}|${subtype ?? ''}|${text}`;
  return kinds.find(([pattern]) => pattern.test(line))?.[1] ?? 'other';
}

/** Some errors are plain JSON, those of the parser have the prefix `Parser Error: `. */
function parseJson(raw: string): Readonly<Record<string, string | undefined>> {
  const start = raw.indexOf('{"exception_type"');
  if (start < 0) return {};
  try {
    return JSON.parse(raw.slice(start)) as Record<string, string>;
  } catch {
    return {};
  }
}

function plainMessage(text: string): string {
  const [head = text] = text.split(
    /\n\nLINE \d+: |\n+Possible (?:solutions?|fixes)|\n+Column \S+ is being converted|\n+ {2}file = |\n\tCandidate functions/i,
  );
  return head.replace(/ See also https:\S+/, '').trim();
}

/** DuckDB counts UTF-8 bytes. */
function utf16Offset(sql: string, byteOffset: number): number {
  return Buffer.from(sql, 'utf8').subarray(0, byteOffset).toString('utf8').length;
}
