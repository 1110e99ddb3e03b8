import { findColumn } from '../../catalog/catalog.ts';
import { catalogOf, dataObjectOf } from '../../catalog/graph-catalog.ts';
import { timeFormatsOf } from '../../catalog/time-text.ts';
import { dialectNamed } from '../../dialects/index.ts';
import { timeRoles } from '../../model/time-expression.ts';
import { nodeAt } from '../../model/node-path.ts';
import { type QuickFix, fixOfMeaning } from './quick-fix.ts';

/**
 * Reads a time that a column stores as text, in the format of its example values, as drafts do. Where day and month are
 * ambiguous, one fix for each.
 */
export const readTextTime: QuickFix = {
  codes: ['timestamp-type'],
  fixes({ range }, { parsed: { graph, yaml }, catalog }) {
    const element = graph.elements.find((each) => timeRoles.some((role) => each[role]?.range.start === range.start));
    const role = timeRoles.find((each) => element?.[each]?.range.start === range.start);
    const name = role && element?.[role]?.value;
    const source = catalog && catalogOf(catalog, element);
    const object = catalog && element && dataObjectOf(element, catalog);
    const column = object && name !== undefined ? findColumn(object, name) : undefined;
    const place = nodeAt(yaml.document.contents, range, yaml.text);
    if (!source || !object || !column || !place) return [];
    const { times, identifiers } = dialectNamed(source.dialect);
    const { formats = [], sense } = timeFormatsOf(column.name, column.samples ?? []) ?? {};
    const { written } = times;
    if (sense === 'time') return [];
    const table = identifiers.quote(identifiers.path(object.name).at(-1) ?? object.name);
    const text = written.text(`${table}.${identifiers.quote(column.name)}`, 0);
    return formats
      .filter(written.reads)
      .flatMap((format) =>
        fixOfMeaning({ title: `Read its texts as ${format}`, preferred: formats.length === 1 }, yaml, [
          { kind: 'set', path: place.path, value: { expression: written.parsed(text, format, 'timestamp') } },
        ]),
      );
  },
};
