import { findColumn, findDataObject } from '../catalog/catalog.ts';
import { yamlSyntax } from '../language/checks/yaml-syntax.ts';
import { schemaProblems } from '../language/schema/schema-problems.ts';
import { type EntityGraph, elementEntityType } from '../model/entity-graph.ts';
import { didYouMean, nearestNames } from '../model/nearest-name.ts';
import type { Problem } from '../model/problem.ts';
import type { CodeWith } from '../model/rules.ts';
import type { Located } from '../model/source-range.ts';
import { castFailure } from './column-type.ts';
import type { ExpectedEntity, GivenObject, GraphTest, GraphTests } from './graph-tests.ts';
import { readIsoTime } from './iso-time.ts';
import { activityNames, dataObjectIn, dataObjectNames, relationshipNames, ruleNames } from './known-names.ts';
import type { TestedGraph } from './tested-graph.ts';

/** All problems of a file of tests in text order. Without the graph its names are not checked. */
export function graphTestProblems(file: GraphTests, tested: TestedGraph | undefined): readonly Problem[] {
  const { yaml } = file;
  const syntax = yamlSyntax.check({ parsed: { problems: yaml.problems, yaml } });
  if (syntax.length > 0) return syntax;
  const problems = [
    ...schemaProblems('entityTests', yaml),
    ...repeatedNames(file),
    ...file.tests.flatMap((test) => [...timeProblems(test), ...(tested ? namesOf(test, tested) : [])]),
  ];
  return problems.toSorted((left, right) => left.range.start - right.range.start);
}

/** Reports are by name. */
function repeatedNames({ tests }: GraphTests): readonly Problem[] {
  const seen = new Set<string>();
  return tests.flatMap(({ name }) => {
    if (!name) return [];
    const isAgain = seen.has(name.value);
    seen.add(name.value);
    return isAgain
      ? [error('schema-value', `There is a test "${name.value}" already. Choose another name.`, name)]
      : [];
  });
}

function timeProblems({ expect }: GraphTest): readonly Problem[] {
  const events = [...(expect.events?.items ?? []), ...(expect.eventsInclude?.items ?? [])];
  return events.flatMap(({ time }) =>
    time && !readIsoTime(time.value)
      ? [
          error(
            'schema-value',
            `"time" must be an ISO 8601 time such as 2024-01-31T08:00:00Z, not "${time.value}".`,
            time,
          ),
        ]
      : [],
  );
}

function namesOf(test: GraphTest, tested: TestedGraph): readonly Problem[] {
  return [...test.given.flatMap((object) => givenProblems(object, test, tested)), ...expectedNames(test, tested.graph)];
}

function givenProblems(object: GivenObject, test: GraphTest, tested: TestedGraph): readonly Problem[] {
  const { name, rows } = object;
  const { sources } = tested;
  const isKnown = sources.some(
    ({ known, named }) => named.has(name.value) || (known && findDataObject(known, name.value)),
  );
  if (!isKnown && sources.every(({ known, isUnread }) => !isUnread && known?.complete !== false)) {
    return [unknown('unknown-data-object', 'The graph has no data object', name, dataObjectNames(tested))];
  }
  const described = dataObjectIn(tested, test, name.value);
  if (!described) return [];
  return rows.flatMap(({ cells }) =>
    cells.flatMap(({ column, value, range }) => {
      const entry = findColumn(described, column.value);
      if (!entry) {
        const names = described.columns.map((each) => each.name);
        return [unknown('unknown-column', `${name.value} has no column`, column, names)];
      }
      const wanted = castFailure(value, entry.sense);
      if (wanted === undefined) return [];
      const message = `"${column.value}" is ${entry.type}: its value must be ${wanted}, not ${JSON.stringify(value.text)}.`;
      return [error('type-mismatch', message, { range })];
    }),
  );
}

function expectedNames(test: GraphTest, graph: EntityGraph): readonly Problem[] {
  const { expect } = test;
  const types = entityTypes(graph);
  const relationships = relationshipNames(graph);
  // Columns may name activities that are not in the file.
  const isOpen = graph.elements.some(({ activityColumn }) => activityColumn !== undefined);
  const activities = activityNames(graph);
  const activity = (name: Located<string> | undefined): readonly Problem[] =>
    !name || isOpen || activities.includes(name.value)
      ? []
      : [unknown('unknown-activity', 'The graph has no activity', name, activities)];
  const entity = (each: ExpectedEntity | null | undefined): readonly Problem[] =>
    !each?.type || types.includes(each.type.value)
      ? []
      : [unknown('schema-value', 'The graph has no entity type', each.type, types)];
  const events = [...(expect.events?.items ?? []), ...(expect.eventsInclude?.items ?? [])];
  return [
    ...events.flatMap((event) => [...activity(event.activity), ...entity(event.entity)]),
    ...(expect.directlyFollows?.items ?? []).flatMap(({ source, target }) => [
      ...activity(source),
      ...activity(target),
    ]),
    ...(expect.entities?.items ?? []).flatMap(entity),
    ...(expect.relations?.items ?? []).flatMap(({ relationship, source, target }) => [
      ...(relationship && !relationships.includes(relationship.value)
        ? [unknown('unknown-relationship', 'The graph has no relationship', relationship, relationships)]
        : []),
      ...entity(source),
      ...entity(target),
    ]),
    ...ruleProblems(test, graph),
  ];
}

function ruleProblems({ expect }: GraphTest, graph: EntityGraph): readonly Problem[] {
  const names = ruleNames(graph);
  return (expect.rules ?? []).flatMap(({ name }) =>
    names.includes(name.value) ? [] : [unknown('rule-unknown-name', 'The graph has no rule', name, names)],
  );
}

/** The entity types of a graph, including types that only rows name. */
export function entityTypes(graph: EntityGraph): readonly string[] {
  const own = [...graph.elements, ...graph.entities].flatMap((each) => elementEntityType(each) ?? []);
  const named = graph.elements.flatMap(({ correlatesWith = [] }) =>
    correlatesWith.flatMap(({ entityType }) => entityType?.value ?? []),
  );
  return [...new Set([...own, ...named])];
}

function unknown(code: CodeWith<'error'>, what: string, name: Located<string>, names: readonly string[]): Problem {
  const nearest = nearestNames(name.value, names);
  const others = names.length > 0 ? `It has: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ', …' : ''}.` : '';
  const message = `${what} "${name.value}". ${didYouMean(nearest) ?? others}`.trim();
  return { ...error(code, message, name), ...(nearest.length > 0 && { suggestions: nearest }) };
}

function error(code: CodeWith<'error'>, message: string, { range }: Pick<Located<string>, 'range'>): Problem {
  return { code, severity: 'error', message, range };
}
