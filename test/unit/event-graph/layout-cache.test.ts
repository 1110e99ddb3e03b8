import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { createElkLayout } from '../../../server/src/event-graph/elk-layout.ts';
import { type LayoutCache, cachedLayouts } from '../../../server/src/event-graph/layout-cache.ts';
import { type LayOut, layoutMap } from '../../../server/src/event-graph/layout-map.ts';
import type { ProcessMap } from '../../../server/src/event-graph/process-map.ts';

const elk = createElkLayout(createRequire(import.meta.url).resolve('elkjs/lib/elk-worker.min.js'));

/** A map with a path back, a path to itself and labels. */
function mapOf(count: number): ProcessMap {
  const node = (activity: string) => ({ activity, count, events: count, starts: 1, ends: 1 });
  const path = (source: string, target: string, steps: number) => ({
    ...{
      source,
      target,
      count: steps,
      median: 1,
      p90: 2,
      total: 3,
      medianText: '1 s',
      p90Text: '2 s',
      totalText: '3 s',
    },
  });
  return {
    nodes: [node('Open'), node('Update'), node('Close')],
    edges: [
      path('Open', 'Update', 9),
      path('Update', 'Update', 4),
      path('Update', 'Close', 5),
      path('Close', 'Open', 2),
    ],
    ...{ entities: 1, events: 3 * count, quantileError: 0, typeOrder: [] },
    subject: { kind: 'type', entityType: 'incident' },
  };
}

function memory(text?: string): LayoutCache & { text: string | undefined } {
  const kept = {
    text,
    read: async () => kept.text,
    async write(written: string) {
      kept.text = written;
    },
  };
  return kept;
}

/** Counts the layouts that ELK makes. */
function counted(): { readonly layOut: LayOut; made: number } {
  const count = {
    made: 0,
    layOut: (async (graph, signal) => {
      count.made += 1;
      return elk(graph, signal);
    }) as LayOut,
  };
  return count;
}

describe('layout cache', () => {
  it('returns the positions, lines and labels of ELK without running it again', async () => {
    const [kept, engine] = [memory(), counted()];
    const fresh = await layoutMap(mapOf(10), elk);
    assert.ok(fresh.edges.some(({ points }) => points.length > 2) && fresh.edges.some(({ label }) => label));
    const first = await layoutMap(mapOf(10), cachedLayouts(engine.layOut, kept));
    const second = await layoutMap(mapOf(10), cachedLayouts(engine.layOut, kept));
    assert.deepEqual([first, second], [fresh, fresh]);
    assert.equal(engine.made, 1);
  });

  it('lays out another graph, and caches both', async () => {
    const engine = counted();
    const layOut = cachedLayouts(engine.layOut, memory());
    const { edges, ...rest } = mapOf(10);
    const others: ProcessMap = { ...rest, edges: edges.map((edge) => ({ ...edge, count: edge.count ** 8 })) };
    for (const map of [mapOf(10), others, mapOf(10), others]) {
      assert.deepEqual(await layoutMap(map, layOut), await layoutMap(map, elk));
    }
    assert.equal(engine.made, 2);
  });

  it('keeps the latest sixteen layouts', async () => {
    const [kept, engine] = [memory(), counted()];
    const layOut = cachedLayouts(engine.layOut, kept);
    const named = (index: number): ProcessMap => ({
      ...mapOf(10),
      ...oneNode(`Step ${'x'.repeat(index)}`),
    });
    for (let index = 0; index < 20; index += 1) await layoutMap(named(index), layOut);
    assert.equal((JSON.parse(kept.text ?? '') as unknown[]).length, 16);
    await layoutMap(named(19), layOut);
    await layoutMap(named(4), layOut);
    assert.equal(engine.made, 20);
    await layoutMap(named(3), layOut);
    assert.equal(engine.made, 21);
  });

  const good = async (): Promise<readonly Record<string, unknown>[]> => {
    const kept = memory();
    await layoutMap(mapOf(10), cachedLayouts(elk, kept));
    return JSON.parse(kept.text ?? '') as readonly Record<string, unknown>[];
  };
  const damages: readonly (readonly [string, (text: string, layout: Record<string, unknown>) => string])[] = [
    ['a text that is cut off', (text) => text.slice(0, -20)],
    ['an empty text', () => ''],
    ['no list', () => '{"layouts":[]}'],
    ['entries that are not layouts', () => '[null,1,"x",{},[]]'],
    ['text instead of a number', (_, layout) => JSON.stringify([{ ...layout, nodes: ['"/><script>', 1, 2, 3] }])],
    ['fewer positions than nodes', (_, layout) => JSON.stringify([{ ...layout, nodes: [1, 2, 3, 4] }])],
    ['fewer lines than edges', (_, layout) => JSON.stringify([{ ...layout, edges: [] }])],
    [
      'lines without an end',
      (_, layout) =>
        JSON.stringify([
          { ...layout, edges: (layout['edges'] as object[]).map((edge) => ({ ...edge, sections: [[1, 2]] })) },
        ]),
    ],
  ];
  for (const [what, damage] of damages) {
    it(`lays out again for ${what}`, async () => {
      const [layout = {}] = await good();
      const [kept, engine] = [memory(damage(JSON.stringify([layout]), layout)), counted()];
      assert.deepEqual(await layoutMap(mapOf(10), cachedLayouts(engine.layOut, kept)), await layoutMap(mapOf(10), elk));
      assert.equal(engine.made, 1);
      assert.equal(
        (JSON.parse(kept.text ?? '') as unknown[]).some((each) => (each as { key?: unknown }).key === layout['key']),
        true,
      );
    });
  }
});

function oneNode(activity: string): Pick<ProcessMap, 'nodes' | 'edges'> {
  return { nodes: [{ activity, count: 1, events: 1, starts: 1, ends: 1 }], edges: [] };
}
