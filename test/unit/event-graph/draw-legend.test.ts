import assert from 'node:assert/strict';
import type { GraphFilter } from '../../../protocol/event-graph.ts';
import { englishMapWords } from '../../../protocol/map-words.ts';
import { drawLegend, legendText } from '../../../server/src/event-graph/draw-legend.ts';
import { plainTheme } from '../../../server/src/event-graph/map-theme.ts';

describe('process map legend', () => {
  it('names the measure, and marks estimated durations', () => {
    const subject = { kind: 'type', entityType: 'incident' } as const;
    assert.deepEqual(legendText({ subject, quantileError: 0 }, { words: englishMapWords }), [
      'Entities of type incident.',
      'Activities: distinct events.',
      'Paths: directly-follows pairs · median time between.',
    ]);
    assert.equal(
      legendText({ subject, quantileError: 0.02 }, { words: englishMapWords }).at(-1),
      'Times are estimates, at most 2 % off.',
    );
  });

  it('says which time paths show', () => {
    const subject = { kind: 'type', entityType: 'incident' } as const;
    assert.deepEqual(
      (['median', 'p90', 'total'] as const).map(
        (each) => legendText({ subject, quantileError: 0 }, { words: englishMapWords, pathMeasure: each })[2],
      ),
      [
        'Paths: median time between · directly-follows pairs.',
        'Paths: time within which 90 % take place · directly-follows pairs.',
        'Paths: total time between · directly-follows pairs.',
      ],
    );
  });

  it('names every condition of the filter', () => {
    const subject = { kind: 'type', entityType: 'incident' } as const;
    const named = (filter: GraphFilter): readonly string[] =>
      legendText({ subject, quantileError: 0 }, { words: englishMapWords, filter }).slice(1, -2);
    assert.deepEqual(named({ entityType: 'incident' }), []);
    assert.deepEqual(
      named({ from: '2024-01-01T00:00:00Z', property: { element: 1, name: 'priority', value: 'High' } }),
      ['Filter: events from 2024-01-01 UTC · priority = High.'],
    );
  });

  it('begins with the name of the graph and the time of the import in pictures', () => {
    const map = {
      subject: { kind: 'type', entityType: 'incident' },
      ...{ quantileError: 0, typeOrder: ['incident'], imported: '2024-02-03T04:05:06.7Z' },
    } as const;
    const style = { name: 'map', look: plainTheme, words: englishMapWords };
    const named = drawLegend(map, 800, { ...style, graphName: 'a & b' });
    assert.deepEqual(named.sentences.slice(0, 2), ['Imported 2024-02-03 04:05 UTC.', 'Entities of type incident.']);
    assert.match(named.svg, /<text [^>]*font-weight="600"[^>]*>Process map of a &amp; b<\/text>/);
    const unnamed = drawLegend(map, 800, style);
    assert.ok(unnamed.height < named.height);
    assert.deepEqual(unnamed.sentences, named.sentences.slice(1));
  });

  it('has a colour per type, and a readable minimum width', () => {
    const entityTypes = ['a & b', 'c', ...Array.from({ length: 12 }, (_, index) => `type number ${index}`)];
    const map = {
      subject: { kind: 'all', measure: 'pairs', entityTypes },
      quantileError: 0,
      typeOrder: entityTypes,
    } as const;
    const narrow = drawLegend(map, 10, { name: '', look: plainTheme, words: englishMapWords });
    const wide = drawLegend(map, 2000, { name: '', look: plainTheme, words: englishMapWords });
    assert.ok(narrow.width > 300 && wide.width === 2000 && wide.height < narrow.height);
    for (const type of entityTypes) assert.ok(narrow.svg.includes(`>${type.replace('&', '&amp;')}</text>`), type);
    assert.equal(narrow.svg.match(/<rect /g)?.length, entityTypes.length);
  });
});
