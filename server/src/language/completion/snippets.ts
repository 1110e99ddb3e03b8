import type { SourceKind } from '../../connectors/source-kind.ts';
import { sourceKinds } from '../../connectors/source-kinds.ts';
import type { CompletionProposal } from './completion-proposal.ts';
import type { CursorPlace } from '../cursor/cursor-place.ts';
import type { SchemaName } from '../schema/validate-schema.ts';
import { prose } from '../markdown.ts';
import { trailingComma, isJson } from '../json-text.ts';
import { jsonSnippet, onOneLine } from './snippet-text.ts';

interface Snippet {
  readonly schema: SchemaName;
  /** Path of the list or object that gets the entry. */
  readonly path: string;
  readonly label: string;
  readonly description: string;
  /** Lines of one entry, without a list dash. */
  readonly lines: readonly string[];
  readonly inList: boolean;
}

const graphSnippets: readonly Snippet[] = [
  {
    schema: 'entityGraph',
    path: 'elements',
    label: 'New element',
    description: 'An activity: rows of a data object that are events.',
    lines: ['activityName: ${1}', 'dataObject: ${2}', 'startTimestamp: ${3}$0'],
    inList: true,
  },
  {
    schema: 'entityGraph',
    path: 'elements.[].correlatesWith',
    label: 'New row correlation',
    description: 'Entities to which the events of a row also belong.',
    lines: ['{ entityType: ${1}, key: ${2} }$0'],
    inList: true,
  },
  {
    schema: 'entityGraph',
    path: 'entities',
    label: 'New entities',
    description: 'Rows of a data object that are entities without events.',
    lines: ['entityType: ${1}', 'dataObject: ${2}', 'key: ${3}$0'],
    inList: true,
  },
  {
    schema: 'entityGraph',
    path: 'relationships',
    label: 'New relationship',
    description: 'How rows of one element belong to rows of another.',
    lines: ['source: ${1}', 'target: ${2}', 'mappings:', '  - { source: ${3}, target: ${4} }$0'],
    inList: true,
  },
  {
    schema: 'entityGraph',
    path: 'relationships',
    label: 'New relationship through a cross table',
    description: 'A many-to-many relationship through a cross table.',
    lines: [
      'source: ${1}',
      'target: ${2}',
      'crossTable:',
      '  dataObject: ${3}',
      '  sourceMappings: [{ source: ${4}, cross: ${5} }]',
      '  targetMappings: [{ cross: ${6}, target: ${7} }]$0',
    ],
    inList: true,
  },
  {
    schema: 'entityGraph',
    path: 'relationships',
    label: 'New relationship along a path',
    description: 'Other relationships, followed one after the other.',
    lines: ['name: ${1}', 'source: ${2}', 'target: ${3}', 'path: [${4}]$0'],
    inList: true,
  },
  {
    schema: 'entityGraph',
    path: 'relationships.[].mappings',
    label: 'New mapping',
    description: 'Two columns that are compared.',
    lines: ['{ source: ${1}, target: ${2} }$0'],
    inList: true,
  },
];

/** Whole entries that can be inserted at the cursor: at the start of an entry or of a line, never inside an entry. */
export function snippetsAt(schema: SchemaName, place: CursorPlace, text: string): readonly CompletionProposal[] {
  const { path, replace, lead, extraIndent } = place;
  const json = isJson(text);
  if (json ? place.style !== 'plain' : place.inFlow || !place.startsLine) return [];
  const inEntry = path.at(-1) === '[]';
  // In JSON lists every item is an entry.
  if (json && place.in === 'value' && !inEntry) return [];
  const wanted = (inEntry ? path.slice(0, -1) : path).join('.');
  return [...graphSnippets, ...sourceKinds().map(sourceSnippet)]
    .filter((snippet) => {
      if (snippet.schema !== schema || snippet.path !== wanted) return false;
      // An entry with a key is not new; entries of an object have their own keys.
      return snippet.inList ? place.in === 'value' : !json || place.in === 'key';
    })
    .map(({ label, description, lines, inList }) => {
      const dash = inList && !inEntry ? '- ' : '';
      // The editor indents further lines like the first one; fields of an entry are aligned after its dash.
      const indent = ' '.repeat(extraIndent + dash.length + lead.trimStart().length);
      const inBlock = `${dash}${lines.join(`\n${indent}`)}`;
      return {
        label,
        kind: 'snippet',
        documentation: prose(description),
        insertText: `${lead}${json ? `${jsonSnippet(lines, !inList)}${trailingComma(text, replace.end)}` : inBlock}`,
        isSnippet: true,
        ...(json ? {} : { oneLine: `${lead}${dash}${onOneLine(lines, inList)}` }),
        filterText: label,
        replace,
        // Sorted before fields.
        sortText: `!${label}`,
      };
    });
}

function sourceSnippet({ snippet }: SourceKind): Snippet {
  return { schema: 'entitySources', path: 'dataSources', ...snippet, inList: false };
}
