import { isMap, isScalar } from 'yaml';
import {
  type YamlObject,
  itemsOf,
  objectsOf,
  readObject,
  readText,
  textOf,
  valueOf,
} from '../model/convert/read-node.ts';
import type { Located } from '../model/source-range.ts';
import { type YamlText, parseYaml, rangeOf, resolveNode } from '../model/yaml-text.ts';
import type { ColumnTypes, DeclaredColumn, GivenCell, GivenObject, GraphTest, GraphTests } from './graph-tests.ts';
import { type Entry, entriesOf } from './entries-of.ts';
import { givenValueOf } from './given-value.ts';
import { readExpectations } from './read-expectations.ts';

/** Parses a file of tests (YAML). Never throws: unreadable content is absent. */
export function parseGraphTests(text: string, yaml: YamlText = parseYaml(text)): GraphTests {
  const root = readObject(yaml.document.contents, yaml);
  if (!root) return { columns: [], tests: [], yaml };
  const graph = textOf(root, 'graph');
  return {
    graph,
    columns: readColumns(root),
    tests: objectsOf(root, 'tests').map(readTest),
    yaml,
  };
}

function readTest(test: YamlObject, index: number): GraphTest {
  const name = textOf(test, 'name');
  return {
    index,
    range: test.range,
    name,
    given: entriesOf(valueOf(test, 'given'), test.yaml).map(({ key, value }) => readGiven(key, value, test.yaml)),
    columns: readColumns(test),
    expect: readExpectations(readObject(valueOf(test, 'expect'), test.yaml)),
  };
}

function readGiven(name: Located<string>, value: unknown, yaml: YamlText): GivenObject {
  const object = readObject(value, yaml);
  const file = object && textOf(object, 'file');
  const rows = itemsOf(value, yaml).filter((item) => isMap(resolveNode(item, yaml)));
  return {
    name,
    file,
    rows: rows.map((row) => ({
      range: rangeOf(row),
      cells: entriesOf(row, yaml).map((entry) => readCell(entry, yaml)),
    })),
  };
}

function readCell({ key, value }: Entry, yaml: YamlText): GivenCell {
  const range = value ? rangeOf(value) : key.range;
  return { column: key, range: range.end > range.start ? range : key.range, value: givenValueOf(value, yaml) };
}

function readColumns(object: YamlObject): readonly ColumnTypes[] {
  return entriesOf(valueOf(object, 'columns'), object.yaml).map(({ key, value }) => ({
    dataObject: key,
    columns: entriesOf(value, object.yaml).flatMap((entry) => readColumn(entry, object.yaml)),
  }));
}

function readColumn({ key, value }: Entry, yaml: YamlText): readonly DeclaredColumn[] {
  const object = readObject(value, yaml);
  const type = object ? textOf(object, 'type') : readText(value, yaml);
  if (!type) return [];
  const flag = object && resolveNode(valueOf(object, 'key'), yaml);
  return [{ name: key, type, isKey: isScalar(flag) && flag.value === true }];
}
