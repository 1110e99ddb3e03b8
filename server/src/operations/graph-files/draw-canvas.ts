import type { ElkNode } from 'elkjs/lib/elk-api.js';
import { basename } from 'node:path';
import type { CanvasDrawing } from '../../../../protocol/canvas-drawing.ts';
import type { ComparedCanvas } from '../../../../protocol/compared-canvas.ts';
import { createElkLayout } from '../../event-graph/elk-layout.ts';
import { comparedCanvas } from '../../language/compared-canvas.ts';
import { toGraphView } from '../../language/to-graph-view.ts';
import type { GraphFile, ProjectContext } from '../../project/open-project.ts';
import { readGraphText } from '../../project/parse-in-slices.ts';
import { type EffectOptions, effectOfTexts } from '../effect/graph-effect.ts';
import { readBase } from '../effect/read-base.ts';
import { OperationError } from '../operation-error.ts';
import { refuseUnreadable } from '../imports/import-plan.ts';
import { loadLayout } from './canvas-layout.ts';

interface DrawCanvasOptions extends Pick<EffectOptions, 'isOffline' | 'signal' | 'onProgress'> {
  /** Absolute paths of the program that draws, and of ELK's script. */
  readonly programs: { readonly drawing: string; readonly elk: string };
  /** The text to compare with: `last`, a file or a commit; default: none. */
  readonly base?: string | undefined;
}

/** The canvas of a file as SVG, with its comparison with another text on request. Rejects with an `OperationError`. */
export async function drawCanvas(
  file: GraphFile,
  projectContext: ProjectContext,
  { programs, base, ...options }: DrawCanvasOptions,
): Promise<string> {
  refuseUnreadable(file);
  const view = toGraphView(await readGraphText(file.text), { uri: '', version: 0 });
  const layout = await loadLayout(file.path, projectContext);
  const compared = base === undefined ? undefined : await compare(file, base, projectContext, options);
  if (view.elements.length + (compared?.goneElements.length ?? 0) === 0) {
    throw new OperationError({
      code: 'no-elements',
      message: `${file.path} has no elements, so there is nothing to draw.`,
      file: file.path,
    });
  }
  const { drawCanvasFile } = (await import(programs.drawing)) as CanvasDrawing<ElkNode>;
  const name = view.name === '' ? basename(file.path) : view.name;
  return drawCanvasFile({ view: { ...view, name }, layout, compared }, createElkLayout(programs.elk));
}

async function compare(
  file: GraphFile,
  name: string,
  projectContext: ProjectContext,
  options: Pick<EffectOptions, 'isOffline' | 'signal' | 'onProgress'>,
): Promise<ComparedCanvas> {
  const base = await readBase(file, name, projectContext);
  const effect = await effectOfTexts(file, base, projectContext, { ...options, conditions: [], attributes: true });
  const earlier = base.text === undefined ? undefined : await readGraphText(base.text);
  return comparedCanvas(effect, await readGraphText(file.text), earlier, new Date().toISOString());
}
