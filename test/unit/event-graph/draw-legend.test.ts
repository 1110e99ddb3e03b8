import assert from 'node:assert/strict';
import { englishMapWords } from '../../../protocol/map-words.ts';
import { drawLegend, legendText } from '../../../server/src/event-graph/draw-legend.ts';
import { plainTheme } from '../../../server/src/event-graph/map-theme.ts';

describe('process map legend', () => {
  it('names the measure, and marks estimated durations', () => {
    const subject = { kind: 'type', entityType: 'incident' } as const;
    assert.deepEqual(legendText({ subject, quantileError: 0 }, englishMapWords), [
      'Entities of type incident.',
      'Activities: distinct events.',
      'Paths: directly-follows pairs · median time between.',
    ]);
    assert.equal(
      legendText({ subject, quantileError: 0.02 }, englishMapWords).at(-1),
      'Times are estimates, at most 2 % off.',
    );
  });

  it('names the activities that its entities have, and the activities that they lack', () => {
    const activities = [
      { activity: 'Open', occurs: true, lifecycle: true },
      { activity: 'Open · change', occurs: true, lifecycle: true },
      { activity: 'Close', occurs: false },
    ];
    const subject = { kind: 'type', entityType: 'incident' } as const;
    assert.deepEqual(legendText({ subject, quantileError: 0, activities }, englishMapWords).slice(0, 4), [
      'Entities of type incident.',
      'Only entities with Open · start.',
      'Only entities with Open · change.',
      'Only entities without Close.',
    ]);
  });

  it('has a colour per type, and a readable minimum width', () => {
    const entityTypes = ['a & b', 'c', ...Array.from({ length: 12 }, (_, index) => `type number ${index}`)];
    const map = {
      subject: { kind: 'all', measure: 'pairs', entityTypes },
      quantileError: 0,
      typeOrder: entityTypes,
    } as const;
    const narrow = drawLegend(map, 10, plainTheme, englishMapWords);
    const wide = drawLegend(map, 2000, plainTheme, englishMapWords);
    assert.ok(narrow.width > 300 && wide.width === 2000 && wide.height < narrow.height);
    for (const type of entityTypes) assert.ok(narrow.svg.includes(`>${type.replace('&', '&amp;')}</text>`), type);
    assert.equal(narrow.svg.match(/<rect /g)?.length, entityTypes.length);
  });
});
