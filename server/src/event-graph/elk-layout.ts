import { createRequire } from 'node:module';
import ElkConstructor, { type ELK, type ElkNode } from 'elkjs/lib/elk-api.js';
import { codeCacheFolder } from '../code-cache/code-cache-folder.ts';
import { loadProgram } from '../code-cache/load-program.ts';
import { type LayOut, layoutMap } from './layout-map.ts';
import type { ProcessMap } from './process-map.ts';

interface ElkLayout extends LayOut {
  /** Loads ELK's script before the first layout, while this thread waits for something else. Never throws. */
  load(): void;
}

/**
 * ELK in this process. Its script is a separate file under its own licence, loaded on first use.
 * @param programPath absolute path of elkjs' `elk-worker.min.js`.
 */
export function createElkLayout(programPath: string): ElkLayout {
  let elk: ELK | undefined;
  let keepCode = (): void => undefined;
  const start = (): ELK => {
    const options = { require: createRequire(programPath), folder: codeCacheFolder(process.env) };
    const program = loadProgram(programPath, options);
    keepCode = () => program.keepCode();
    const { Worker } = program.exports as { readonly Worker: new (url?: string) => object };
    return new ElkConstructor({ workerFactory: (url) => new Worker(url) });
  };
  const layOut = async (graph: ElkNode): Promise<ElkNode> => {
    const placed = await (elk ??= start()).layout(graph);
    // After the first layout, because functions are compiled when they are first called.
    keepCode();
    return placed;
  };
  return Object.assign(layOut, {
    load() {
      try {
        elk ??= start();
      } catch {
        // The first layout tries again, and its error is reported.
      }
    },
    async prepare() {
      if (!elk) await layoutMap(exercise, layOut);
    },
  });
}

const places = Array.from({ length: 16 }, (_, index) => String(index));

/** A typical map as warm-up, because the first layout takes three times as long as the next one. */
const exercise: ProcessMap = {
  nodes: places.map((activity) => ({ activity, count: 1, events: 1, starts: 1, ends: 1 })),
  edges: places.flatMap((source, index) =>
    [1, 3, 7].map((step) => ({
      source,
      target: places[(index + step) % places.length] ?? source,
      count: 1,
      median: 1,
      p90: 1,
      total: 1,
      medianText: '1 s',
      p90Text: '1 s',
      totalText: '1 s',
    })),
  ),
  entities: 1,
  events: 1,
  quantileError: 0,
  subject: { kind: 'type', entityType: '' },
  typeOrder: [],
};
