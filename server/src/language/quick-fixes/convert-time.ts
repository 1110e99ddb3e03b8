import { timeRoles } from '../../../../protocol/fields/element.ts';
import { catalogOf } from '../../catalog/graph-catalog.ts';
import { nodeAt } from '../../model/node-path.ts';
import { findInScope, scopeOf } from '../column-scope.ts';
import { storedTimes } from '../stored-times.ts';
import { dataSourceNamed } from '../../model/data-sources-used.ts';
import { type QuickFix, fixOfMeaning } from './quick-fix.ts';

/** Computes a start or change time from a column that stores it as a number, or as a text in a format of its own. */
export const convertTime: QuickFix = {
  codes: ['timestamp-type'],
  fixes({ range }, { parsed: { graph, yaml }, catalog, sources }) {
    const element = graph.elements.find((each) => timeRoles.some((role) => each[role]?.range.start === range.start));
    const name = timeRoles.map((role) => element?.[role]).find((each) => each?.range.start === range.start);
    const own = catalog && element && catalogOf(catalog, element);
    const column = own && name && findInScope(scopeOf(element, catalog), name.value);
    const place = nodeAt(yaml.document.contents, range, yaml.text);
    if (!column || !place) return [];
    const source = sources?.sources.find((each) => each.name.value === dataSourceNamed(graph, element));
    const ways = storedTimes(name.value, column, element, own, element.timeZone?.value ?? source?.timeZone);
    return ways.flatMap(({ words, sql }) =>
      fixOfMeaning({ title: `Read it as ${words}`, preferred: ways.length === 1 }, yaml, [
        { kind: 'set', path: place.path, value: { expression: sql } },
      ]),
    );
  },
};
