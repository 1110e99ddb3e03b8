import { createRequire } from 'node:module';
import ElkConstructor, { type ELK, type ElkNode } from 'elkjs/lib/elk-api.js';
import type { LayOut } from './layout-map.ts';

/**
 * ELK in this process; graphs here are small. The layout program is a file of its own under its own licence, loaded when it is first needed.
 * @param programPath absolute path of elkjs' `elk-worker.min.js`.
 */
export function createElkLayout(programPath: string): LayOut {
  let elk: ELK | undefined;
  const start = (): ELK => {
    const program = createRequire(programPath)(programPath) as {
      readonly Worker: new (url?: string) => object;
    };
    return new ElkConstructor({ workerFactory: (url) => new program.Worker(url) });
  };
  return (graph: ElkNode) => (elk ??= start()).layout(graph);
}
