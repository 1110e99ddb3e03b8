import type { Column } from '../catalog/catalog.ts';
import { dialectNamed } from '../dialects/index.ts';
import { completeFields } from '../language/completion/complete-fields.ts';
import { completeStructure } from '../language/completion/complete-structure.ts';
import type { CompletionProposal, KnownPlace } from '../language/completion/completion-proposal.ts';
import { type ProposalLimit, fittingProposals } from '../language/completion/fitting-proposals.ts';
import { type ProposedValue, insertValues, plainScalar } from '../language/completion/written-value.ts';
import { cursorPlace } from '../language/cursor/cursor-place.ts';
import { cursorMark } from '../language/cursor/repairs.ts';
import { columnDetail, columnMarkdown, objectDetail, objectMarkdown } from '../language/describe-catalog.ts';
import { prose } from '../language/markdown.ts';
import { fieldAt } from '../language/schema/field-docs.ts';
import { plainData } from '../language/schema/plain-data.ts';
import type { GraphTest, GraphTests } from './graph-tests.ts';
import * as names from './known-names.ts';
import { type NameRole, ownerOfColumn, roleOfKeys, roleOfValue } from './name-roles.ts';
import { parseGraphTests } from './parse-graph-tests.ts';
import { entityTypes } from './test-problems.ts';
import { type TestedGraph, testedGraph } from './tested-graph.ts';

/** Facts for completion in a test file, besides its text. */
interface TestsKnowledge {
  /** Absent while it is not known. */
  readonly tested?: Pick<TestedGraph, 'graph' | 'sources'> | undefined;
  /** Entity graphs that the file may name, relative to it. */
  readonly graphFiles: readonly string[];
}

/** Longer texts would be parsed too slowly while typing. */
const maxCompleted = 200_000;

/** Completion items at an offset of a file of tests. Works in broken text; never throws. */
export function completeGraphTests(
  { text }: GraphTests['yaml'],
  { tested: known, graphFiles }: TestsKnowledge,
  offset: number,
  limit?: ProposalLimit,
): readonly CompletionProposal[] {
  const cursor = text.length > maxCompleted ? undefined : cursorPlace(text, offset);
  if (!cursor || cursor.style === 'block') return [];
  const place = { ...cursor, data: plainData(cursor.repaired) };
  const file = parseGraphTests(cursor.repaired.text, cursor.repaired);
  const tested = known && testedGraph(file, known.graph, known.sources);
  const at: Place = { place, file, tested, graphFiles };
  // A scalar that starts a line where an object is expected is its half-typed first key.
  const keyRole = place.in === 'key' || place.startsLine ? roleOfKeys(place.path) : undefined;
  if (keyRole) {
    const siblings = place.in === 'key' ? place.siblings : [];
    const free = namesOf(keyRole, at).filter(({ label }) => !siblings.includes(label));
    return fittingProposals(free, text.slice(place.replace.start, offset), limit).map((name, index) =>
      keyProposal(name, keyRole, { place, text, index }),
    );
  }
  const structure = completeStructure('entityTests', place, text, { graphs: graphFiles });
  if (structure) return structure;
  const role = roleOfValue(place.path);
  const docs = fieldAt('entityTests', place);
  const values = role ? namesOf(role, at) : (docs?.values ?? []).map(plainValue);
  const documentation = docs && { documentation: prose(docs.description) };
  return insertValues(
    values.map((value) => ({ ...documentation, ...value })),
    { place, text, offset },
    limit,
  );
}

interface Place extends Omit<TestsKnowledge, 'tested'> {
  readonly place: KnownPlace;
  /** The repaired text. */
  readonly file: GraphTests;
  readonly tested: TestedGraph | undefined;
}

/** The names of a role at a place, without repetitions. */
function namesOf(role: NameRole, at: Place): readonly ProposedValue[] {
  const found = namesIn(role, at).filter(({ label }) => !label.includes(cursorMark));
  return [...new Map(found.map((value) => [value.label, value])).values()];
}

function namesIn(role: NameRole, { place, file, tested, graphFiles }: Place): readonly ProposedValue[] {
  if (role === 'graph') return graphFiles.map(plainValue);
  if (!tested) return [];
  const { graph } = tested;
  const test = testAt(file, place);
  switch (role) {
    case 'activity':
      return names.activityNames(graph).map((name) => ({ ...plainValue(name), kind: 'activity' }));
    case 'entityType':
      return entityTypes(graph).map(plainValue);
    case 'relationship':
      return names.relationshipNames(graph).map(plainValue);
    case 'rule':
      return names.ruleNames(graph).map(plainValue);
    case 'dataObject':
      return names.dataObjectNames(tested).map((name) => {
        const object = names.dataObjectIn(tested, test, name);
        const known = object && { detail: objectDetail(object), documentation: objectMarkdown(object) };
        return { ...plainValue(name), kind: 'dataObject', ...known };
      });
    case 'column': {
      const object = names.dataObjectIn(tested, test, ownerOfColumn(place.path) ?? '');
      return (object?.columns ?? []).map(columnValue);
    }
    case 'property':
      return names.propertiesOf(tested, test, eventAt(test, place)?.activity).map(columnValue);
    case 'columnType':
      return [
        ...new Set(tested.sources.flatMap(({ origin }) => Object.values(dialectNamed(origin.dialect).types.usual))),
      ].map(plainValue);
  }
}

/** The test around a place; one without rows for columns of the whole file. */
function testAt({ tests }: GraphTests, { path, indexes }: KnownPlace): GraphTest {
  const found = path[0] === 'tests' ? tests[indexes[0] ?? -1] : undefined;
  return found ?? { index: 0, range: { start: 0, end: 0 }, given: [], columns: [], expect: {} };
}

function eventAt({ expect }: GraphTest, { path, indexes }: KnownPlace) {
  const list = path[3] === 'eventsInclude' ? expect.eventsInclude : expect.events;
  return list?.items[indexes[1] ?? -1];
}

function columnValue(column: names.PropertyColumn): ProposedValue {
  const known = isKnown(column) && { detail: columnDetail(column), documentation: columnMarkdown(column) };
  return { ...plainValue(column.name), kind: 'column', ...known };
}

function isKnown(column: Partial<Column>): column is Column {
  return column.type !== undefined;
}

function plainValue(value: string | number | boolean): ProposedValue {
  return { label: String(value), kind: 'value', value };
}

interface KeyPlace {
  readonly place: KnownPlace;
  readonly text: string;
  readonly index: number;
}

/** A name as a key. The rows of a data object, and the numbers of a rule, are on the following lines. */
function keyProposal(name: ProposedValue, role: NameRole, { place, text, index }: KeyPlace): CompletionProposal {
  const { label, kind, detail, documentation } = name;
  const isUnder = (container: string): boolean => place.path.at(-1) === container;
  const shape = role === 'rule' || isUnder('columns') ? 'object' : isUnder('given') ? 'list' : 'other';
  const written = place.style === 'plain' ? plainScalar(label, place.inFlow) : label;
  const field = { name: written, description: '', examples: [], values: [], needed: false, shape } as const;
  // Keys that are there already are left out before.
  const open = place.in === 'key' ? { ...place, siblings: [] } : place;
  const [made] = completeFields([field], open, text);
  return {
    replace: place.replace,
    insertText: written,
    ...made,
    label,
    kind,
    filterText: label,
    sortText: String(index).padStart(5, '0'),
    ...(detail !== undefined && { detail }),
    ...(documentation !== undefined && { documentation }),
  };
}
