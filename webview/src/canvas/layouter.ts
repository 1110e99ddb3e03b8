import type { ElkNode } from 'elkjs/lib/elk-api.js';
import type { GraphView } from '../../../protocol/graph-view.ts';
import { createElkRunner } from './elk-runner.ts';
import type { Size } from './geometry.ts';
import { toElkGraph } from './layout.ts';
import { type Picture, toPicture } from './picture.ts';
import { layoutInRows } from './row-layout.ts';
import type { TextMetrics } from '../ui/text-metrics.ts';

/** Makes the pictures of one graph after another, and gives out only that of the newest. */
export interface Layouter {
  /** Places that still fit are used again, so that nothing moves while text changes; `again` places everything anew. */
  show(view: GraphView, screen: Size, options: { readonly again: boolean }): void;
  /** Gives out nothing of what was shown before. */
  forget(): void;
}

export interface LayoutListener {
  /** @param failure Why ELK could not place it; the picture is in rows then. */
  onPicture(picture: Picture, failure: string | undefined): void;
}

export function createLayouter(workerUri: string | undefined, text: TextMetrics, listener: LayoutListener): Layouter {
  const runner = createElkRunner(workerUri);
  let newest = 0;
  let last: { readonly signature: string; readonly placed: ElkNode } | undefined;
  let aspectRatio: number | undefined;

  async function layOut(graph: ElkNode): Promise<{ placed?: ElkNode | undefined; failure?: string }> {
    try {
      return { placed: await runner.layout(graph) };
    } catch (error) {
      return { placed: layoutInRows(graph), failure: error instanceof Error ? error.message : String(error) };
    }
  }

  async function show(view: GraphView, screen: Size, again: boolean): Promise<void> {
    newest += 1;
    const ticket = newest;
    // That of the first picture stays: resizing the window moves nothing.
    aspectRatio ??= aspectRatioOf(screen);
    const graph = toElkGraph(view, text, aspectRatio ?? 1.6);
    const signature = JSON.stringify(graph);
    if (!again && last?.signature === signature) {
      listener.onPicture(toPicture(view, last.placed, text), undefined);
      return;
    }
    const { placed, failure } = await layOut(graph);
    if (ticket !== newest || !placed) return;
    last = failure === undefined ? { signature, placed } : undefined;
    listener.onPicture(toPicture(view, placed, text), failure);
  }

  return {
    show: (view, screen, { again }) => void show(view, screen, again),
    forget: () => {
      newest += 1;
    },
  };
}

function aspectRatioOf({ width, height }: Size): number | undefined {
  return width === 0 || height === 0 ? undefined : Math.max(0.5, Math.min(4, width / height));
}
