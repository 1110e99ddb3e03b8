import type { CompletionProposal } from './complete.ts';
import type { CursorPlace } from './cursor-place.ts';
import type { SchemaName } from './schema/validate-schema.ts';

interface Snippet {
  readonly schema: SchemaName;
  /** Path of the list or group that the snippet adds an entry to. */
  readonly path: string;
  readonly label: string;
  readonly description: string;
  /** Lines of one entry, without the dash of a list. */
  readonly lines: readonly string[];
  readonly inList: boolean;
}

const snippets: readonly Snippet[] = [
  {
    schema: 'entityGraph',
    path: 'elements',
    label: 'New element',
    description: 'An activity: rows of a data object that are events.',
    lines: ['activityName: ${1:Verb Subject}', 'dataObject: ${2:data object}', 'startTimestamp: ${3:column}$0'],
    inList: true,
  },
  {
    schema: 'entityGraph',
    path: 'relationships',
    label: 'New relationship',
    description: 'How rows of one element belong to rows of another.',
    lines: [
      'source: ${1:activity}',
      'target: ${2:activity}',
      'mappings:',
      '  - { source: ${3:column}, target: ${4:column} }$0',
    ],
    inList: true,
  },
  {
    schema: 'entityGraph',
    path: 'relationships',
    label: 'New relationship through a cross table',
    description: 'A many-to-many relationship through a bridge.',
    lines: [
      'source: ${1:activity}',
      'target: ${2:activity}',
      'crossTable:',
      '  dataObject: ${3:data object}',
      '  sourceMappings: [{ source: ${4:column}, cross: ${5:column} }]',
      '  targetMappings: [{ cross: ${6:column}, target: ${7:column} }]$0',
    ],
    inList: true,
  },
  {
    schema: 'entityGraph',
    path: 'relationships.[].mappings',
    label: 'New mapping',
    description: 'Two columns that are compared.',
    lines: ['{ source: ${1:column}, target: ${2:column} }$0'],
    inList: true,
  },
  {
    schema: 'entitySources',
    path: 'dataSources',
    label: 'New PostgreSQL source',
    description: 'A PostgreSQL database, or one that speaks its protocol.',
    lines: [
      '${1:name}:',
      '  kind: postgresql',
      '  host: ${2:localhost}',
      '  database: ${3:database}',
      '  user: ${4:user}',
      '  password: \\${secret:${1:name}}$0',
    ],
    inList: false,
  },
  {
    schema: 'entitySources',
    path: 'dataSources',
    label: 'New source of files',
    description: 'CSV, TSV, Parquet or JSON files: one data object a file.',
    lines: ['${1:name}:', '  kind: csv', '  path: ${2:data/*.csv}$0'],
    inList: false,
  },
];

/** Whole entries that may be added where the cursor is: at the start of an entry, never inside one. */
export function snippetsAt(schema: SchemaName, place: CursorPlace, text: string): readonly CompletionProposal[] {
  const { path, replace, siblings } = place;
  const inEntry = path.at(-1) === '[]';
  const list = (inEntry ? path.slice(0, -1) : path).join('.');
  const lineStart = text.lastIndexOf('\n', replace.start - 1) + 1;
  const before = text.slice(lineStart, replace.start);
  if (inEntry && (!/-\s+$/.test(before) || siblings.length > 0)) return [];
  if (!inEntry && before.trim() !== '') return [];
  return snippets
    .filter((snippet) => snippet.schema === schema && snippet.path === list)
    .map(({ label, description, lines, inList }) => ({
      label,
      kind: 'snippet',
      documentation: description,
      // The editor indents what follows the first line like that line; entries stand two columns behind their dash.
      insertText: inList && !inEntry ? `- ${lines.join('\n  ')}` : lines.join(inList ? '\n  ' : '\n'),
      isSnippet: true,
      replace,
      sortText: `!${label}`,
    }));
}
