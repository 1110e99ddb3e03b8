import type { SentencePart } from '../../../protocol/canvas-intents.ts';
import { findDataObject } from '../catalog/catalog.ts';
import { type GraphCatalog, catalogOf } from '../catalog/graph-catalog.ts';
import { namesSourceAt } from './names-source-at.ts';
import type { ParsedDataSources } from '../model/parse-data-sources.ts';
import type { SourceRange } from '../model/source-range.ts';
import { type YamlText, rangeOf } from '../model/yaml-text.ts';
import { columnMarkdown, objectWithColumnsMarkdown } from './describe-catalog.ts';
import { buildRelationshipQuery } from '../query/build-query.ts';
import { type EntityGraph, mappingOperators } from '../model/entity-graph.ts';
import { endNamed } from '../model/relationship-ends.ts';
import type { GraphContext } from './graph-context.ts';
import { judgedExpectationMarkdown } from './imported-expectations.ts';
import { measuredMarkdown } from './imported-measures.ts';
import { judgedRuleMarkdown } from './imported-rules.ts';
import { behindMarkdown, feedsMarkdown } from './lineage-words.ts';
import { describeJoin, operatorWords } from './describe-join.ts';
import { columnScope, findInScope, isColumnPlace } from './column-scope.ts';
import { catalogNoticeWords } from './completion/catalog-notice.ts';
import { fieldMarkdown } from './completion/complete-fields.ts';
import { aliasAt } from './cursor/alias-place.ts';
import { type StepPath, scalarAt, toStepPath } from './cursor/scalar-place.ts';
import { type Markdown, code, codeBlock, joined, line, paragraphs, strong } from './markdown.ts';
import { dataOnPath } from './schema/data-on-path.ts';
import { fieldAt } from './schema/field-docs.ts';
import type { SchemaName } from './schema/validate-schema.ts';

export interface HoverText {
  readonly markdown: Markdown;
  readonly range: SourceRange;
}

/** Hover at an offset of an entity graph. */
export function hoverEntityGraph(known: GraphContext, offset: number): HoverText | undefined {
  const place = placeAt(known.parsed.yaml, offset);
  if (!place) return undefined;
  const described = describedAt(known, place);
  const judged = expectationMarkdown(known, place);
  const whole = judged ? { markdown: paragraphs(judged, described?.markdown), range: place.range } : described;
  return withAlias(place, whole);
}

/** The text after what the alias at its place stands for, if there is one. */
function withAlias({ says, range }: Place, hover: HoverText | undefined): HoverText | undefined {
  return says ? { markdown: paragraphs(says, hover?.markdown), range } : hover;
}

function describedAt(known: GraphContext, place: Place): HoverText | undefined {
  const value =
    place.in === 'value'
      ? (ruleMarkdown(known, place) ?? measureMarkdown(known, place) ?? valueMarkdown(known, place))
      : undefined;
  const behind = isNameOfJudged(place) ? behindMarkdown(known, place.range) : undefined;
  if (value) return { markdown: paragraphs(value, behind), range: place.range };
  const property = propertyHover('entityGraph', place, known.parsed.yaml);
  if (behind) return { markdown: paragraphs(property?.markdown, behind), range: place.range };
  const unread = isNameOfSource(place) ? unreadMarkdown(known) : undefined;
  if (unread) return { markdown: paragraphs(unread, property?.markdown), range: place.range };
  const join = property && saysJoin(place) ? relationshipMarkdown(known.parsed.graph, place, known.catalog) : undefined;
  return join ? { markdown: paragraphs(property?.markdown, join), range: place.range } : property;
}

/** The value is the name of a data object or of a column, which the catalog explains. */
function isNameOfSource(place: Place): boolean {
  const isObject = place.path.at(-1) === 'dataObject' || place.path[0] === 'dataObjects';
  return place.in === 'value' && (isObject || isColumnPlace(place));
}

function unreadMarkdown(known: GraphContext): Markdown | undefined {
  const words = catalogNoticeWords(known);
  return words && paragraphs(strong(words.label), line`${words.detail}`);
}

/** The name of a rule or measure, which comes from columns. */
function isNameOfJudged({ in: role, path }: Place): boolean {
  return role === 'value' && (path[0] === 'rules' || path[0] === 'measures') && path.length === 3 && path[2] === 'name';
}

/** At the name of a rule, also among the business rules of an activity: what the last import found. */
function ruleMarkdown({ parsed, importedRules }: GraphContext, { path, indexes, text }: Place): Markdown | undefined {
  const { rules } = parsed.graph;
  const isName = path[0] === 'rules' && path.length === 3 && path[2] === 'name';
  const isNamed = path[0] === 'elements' && path.includes('businessRules');
  const rule = isName ? rules[indexes[0] ?? -1] : isNamed ? rules.find(({ name }) => name?.value === text) : undefined;
  return rule && importedRules && judgedRuleMarkdown(rule, parsed.yaml.text, importedRules);
}

/** At the name of a measure: what the last import found. */
function measureMarkdown({ parsed, importedMeasures }: GraphContext, { path, indexes }: Place): Markdown | undefined {
  const isName = path[0] === 'measures' && path.length === 3 && path[2] === 'name';
  const measure = isName ? parsed.graph.measures[indexes[0] ?? -1] : undefined;
  return measure && importedMeasures && measuredMarkdown(measure, parsed.yaml.text, importedMeasures);
}

/** At an expectation of rows: what the last import found. */
function expectationMarkdown({ parsed, importedExpectations }: GraphContext, place: Place): Markdown | undefined {
  if (!importedExpectations || !place.path.includes('expect')) return undefined;
  return judgedExpectationMarkdown(parsed.graph, parsed.yaml.text, importedExpectations, place.range);
}

/** Relationship fields that describe the join. */
function saysJoin({ path, in: role }: Place): boolean {
  return role === 'key' && path[0] === 'relationships' && path.length === 3 && joinKeys.has(path[2] ?? '');
}

const joinKeys = new Set(['name', 'source', 'target', 'mappings', 'crossTable', 'path']);

/** Hover at an offset of a sources file. */
export function hoverDataSources(
  { parsed }: { readonly parsed: ParsedDataSources },
  offset: number,
): HoverText | undefined {
  const place = placeAt(parsed.yaml, offset);
  return place && withAlias(place, propertyHover('entitySources', place, parsed.yaml));
}

interface Place extends StepPath {
  readonly in: 'key' | 'value';
  readonly range: SourceRange;
  readonly text: string;
  /** What the alias at the place stands for. */
  readonly says?: Markdown;
}

function placeAt(yaml: YamlText, offset: number): Place | undefined {
  const found = scalarAt(yaml.document.contents, offset);
  if (!found) {
    const alias = aliasAt(yaml, offset);
    return alias && { ...alias, in: 'value' };
  }
  const { scalar, role, path } = found;
  return { ...toStepPath(path), in: role, range: rangeOf(scalar), text: String(scalar.value) };
}

function propertyHover(schema: SchemaName, place: Place, yaml: YamlText): HoverText | undefined {
  const path = place.path.at(-1) === '[]' ? place.path.slice(0, -1) : place.path;
  const docs = fieldAt(schema, {
    path,
    indexes: place.indexes,
    data: dataOnPath(yaml, { path, indexes: place.indexes }),
  });
  return docs && docs.description !== '' ? { markdown: fieldMarkdown(docs), range: place.range } : undefined;
}

function valueMarkdown(known: GraphContext, place: Place): Markdown | undefined {
  const {
    parsed: { graph },
    sources,
    catalog,
  } = known;
  const property = place.path.findLast((step) => step !== '[]');
  if (property === 'dataSource' || (property === 'source' && place.path[0] === 'dataObjects')) {
    const source = sources?.sources.find(({ name }) => name.value === place.text);
    return source?.kind && line`${strong(place.text)} — ${source.kind.value} data source, time zone ${source.timeZone}`;
  }
  if (
    place.path[0] === 'relationships' &&
    place.path.length === 3 &&
    (property === 'source' || property === 'target')
  ) {
    const element = endNamed(graph, place.text);
    const isEntry = element && 'isMasterData' in element;
    const start = isEntry ? undefined : element?.startTimestamp?.value;
    const said =
      element &&
      line`${strong(place.text)} — ${isEntry ? 'entities' : 'element'} of ${element.dataObject?.value ?? 'no data object'}${start === undefined ? '' : line`, from ${start}`}`;
    // A relationship may have no explicit name to hover.
    const join = relationshipMarkdown(graph, place, catalog);
    return said && paragraphs(said, join);
  }
  if (place.path[0] === 'relationships' && (property === 'name' || property === 'operator')) {
    return relationshipMarkdown(graph, place, catalog);
  }
  if (!catalog) return undefined;
  if (property === 'dataObject' || place.path[0] === 'dataObjects') {
    const own = catalogOf(catalog, namesSourceAt(graph, place));
    const object = own && findDataObject(own, place.text);
    return object && objectWithColumnsMarkdown(object);
  }
  const scope = columnScope(graph, place, catalog);
  const column = scope && findInScope(scope, place.text);
  return column && paragraphs(columnMarkdown(column), feedsMarkdown(known, place.range.start));
}

/** The join in words, and as SQL. */
function relationshipMarkdown(
  graph: EntityGraph,
  place: Place,
  catalog: GraphCatalog | undefined,
): Markdown | undefined {
  const relationship = graph.relationships[place.indexes[0] ?? -1];
  const words = relationship && describeJoin(relationship);
  if (!relationship || words === undefined) return undefined;
  const [operator] = mappingOperators.filter((each) => each === place.text);
  const isOperator = place.path.at(-1) === 'operator' && operator !== undefined;
  const built = catalog && !isOperator ? buildRelationshipQuery(graph, relationship, catalog) : undefined;
  return paragraphs(
    isOperator ? line`${code(operator)} — ${operatorWords[operator]}` : undefined,
    joined(words.map(partMarkdown), ''),
    built && 'query' in built ? codeBlock('sql', built.query.sql) : undefined,
  );
}

function partMarkdown(part: SentencePart): Markdown {
  if (typeof part === 'string') return line`${part}`;
  return 'name' in part ? strong(part.name) : code(part.code);
}
