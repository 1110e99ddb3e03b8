import { fieldMarkdown } from '../language/completion/complete-fields.ts';
import { columnMarkdown, objectWithColumnsMarkdown } from '../language/describe-catalog.ts';
import type { HoverText } from '../language/hover.ts';
import { type Markdown, paragraphs, prose, strong } from '../language/markdown.ts';
import { dataOnPath } from '../language/schema/data-on-path.ts';
import { fieldAt } from '../language/schema/field-docs.ts';
import type { GraphTests } from './graph-tests.ts';
import { dataObjectIn } from './known-names.ts';
import { type TestsPlace, placeInTests } from './name-in-tests.ts';
import { ownerOfColumn } from './name-roles.ts';
import type { TestedGraph } from './tested-graph.ts';

/** Hover at an offset of a file of tests: describes the name, or else the field by its schema. */
export function hoverGraphTests(
  file: GraphTests,
  tested: TestedGraph | undefined,
  offset: number,
): HoverText | undefined {
  const place = placeInTests(file, offset);
  if (!place) return undefined;
  const described = (tested && nameMarkdown(file, tested, place)) ?? fieldText(file, place);
  const markdown = place.says ? paragraphs(place.says, described) : described;
  return markdown && { markdown, range: place.range };
}

function nameMarkdown(file: GraphTests, tested: TestedGraph, place: TestsPlace): Markdown | undefined {
  const { role, text, path, indexes } = place;
  if (role === 'rule') {
    const rule = tested.graph.rules.find(({ name }) => name?.value === text);
    return rule && paragraphs(strong(text), rule.description && prose(rule.description.value));
  }
  const [index = -1] = indexes;
  const test = path[0] === 'tests' ? file.tests[index] : file.tests[0];
  if (!test) return undefined;
  if (role === 'dataObject') {
    const object = dataObjectIn(tested, test, text);
    return object && objectWithColumnsMarkdown(object);
  }
  if (role !== 'column') return undefined;
  const columns = dataObjectIn(tested, test, ownerOfColumn(path) ?? '')?.columns;
  const column = columns?.find(({ name }) => name === text);
  return column && columnMarkdown(column);
}

function fieldText({ yaml }: GraphTests, { path, indexes }: TestsPlace): Markdown | undefined {
  const field = path.at(-1) === '[]' ? path.slice(0, -1) : path;
  const docs = fieldAt('entityTests', { path: field, indexes, data: dataOnPath(yaml, { path: field, indexes }) });
  return docs && docs.description !== '' ? fieldMarkdown(docs) : undefined;
}
