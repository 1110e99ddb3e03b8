import { sourceKinds } from '../../connectors/source-kinds.ts';
import type { CursorPlace } from '../cursor/cursor-place.ts';
import { prose } from '../markdown.ts';
import type { SchemaName } from '../schema/validate-schema.ts';
import type { CompletionProposal } from './completion-proposal.ts';
import { plainScalar } from './written-value.ts';

/** Names that a skeleton may propose. */
export interface StartKnowledge {
  /** Data sources of a graph. */
  readonly dataSources?: readonly string[] | undefined;
  /** Graphs beside a file of tests. */
  readonly graphs?: readonly string[] | undefined;
}

/** What an empty file may begin with: a skeleton, and for a graph a draft from its data; none in other files. */
export function startOfFile(
  schema: SchemaName,
  place: CursorPlace,
  text: string,
  known: StartKnowledge,
): readonly CompletionProposal[] {
  const { replace, startsLine, style } = place;
  const rest = text.slice(0, replace.start) + text.slice(replace.end);
  if (place.path.length > 0 || !startsLine || style !== 'plain' || !/^(?:\s|#.*(?:\n|$))*$/.test(rest)) return [];
  const skeleton = skeletons[schema]?.(known);
  if (!skeleton || place.lead !== '') return [];
  const { label, description, lines } = skeleton;
  const whole: CompletionProposal = {
    label,
    kind: 'snippet',
    documentation: prose(description),
    insertText: lines.join('\n'),
    isSnippet: true,
    filterText: label,
    replace,
    sortText: `!0`,
  };
  if (schema !== 'entityGraph') return [whole];
  const draft: CompletionProposal = {
    label: 'Draft from a data source',
    kind: 'snippet',
    documentation: prose(
      'Asks for a data source and its data objects, and writes what their rows hold into this file.',
    ),
    insertText: '',
    command: 'newEntity',
    filterText: 'Draft from a data source',
    replace,
    sortText: `!1`,
  };
  return [whole, draft];
}

interface Skeleton {
  readonly label: string;
  readonly description: string;
  /** In snippet syntax. */
  readonly lines: readonly string[];
}

const skeletons: Partial<Record<SchemaName, (known: StartKnowledge) => Skeleton>> = {
  entityGraph: ({ dataSources = [] }) => ({
    label: 'New entity graph',
    description: 'A graph with its first element.',
    lines: [
      'version: 1',
      `dataSource: ${choice(1, dataSources)}`,
      'elements:',
      '  - activityName: ${2}',
      '    dataObject: ${3}',
      '    startTimestamp: ${4}$0',
    ],
  }),
  entitySources: () => ({
    label: 'New data sources file',
    description: 'A file with its first data source.',
    lines: [
      'version: 1',
      'dataSources:',
      '  ${1|name|}:',
      `    kind: ${choice(
        2,
        sourceKinds().map(({ name }) => name),
      )}$0`,
    ],
  }),
  entityTests: ({ graphs = [] }) => ({
    label: 'New tests',
    description: 'A file with its first test: rows that are given, and the events that they make.',
    lines: [
      `graph: ${choice(1, graphs)}`,
      'tests:',
      '  - name: ${2}',
      '    given:',
      '      ${3|rows|}:',
      '        - { ${4|id|}: ${5} }',
      '    expect:',
      '      events: []$0',
    ],
  }),
};

/** A stop with these values; the only one is written. */
function choice(stop: number, values: readonly string[]): string {
  const [only, ...others] = values.map((value) => plainScalar(value, false).replaceAll(/[$}\\]/g, String.raw`\$&`));
  if (only === undefined) return `\${${stop}}`;
  if (others.length === 0) return only;
  const choices = [only, ...others].filter((value) => !/[,|{]/.test(value));
  return choices.length === 0 ? `\${${stop}}` : `\${${stop}|${choices.join(',')}|}`;
}
