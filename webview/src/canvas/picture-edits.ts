import { isGoneId } from '../../../protocol/compared-canvas.ts';
import { t } from '../ui/translate.ts';
import { alignBoxes } from './align.ts';
import { selectedKeys } from './canvas-state.ts';
import { exportPng, exportSvg } from './export-image.ts';
import { idIn } from './view-key.ts';
import type { CanvasEdits, EditHands } from './canvas-edits.ts';

/** What changes only the picture, and exports it. */
export function pictureEdits({
  state,
  ask,
  fail,
  move,
  forgetPositions,
}: EditHands): Pick<CanvasEdits, 'move' | 'arrange' | 'align' | 'exportImage'> {
  return {
    move: (corners, isDragging) => move(new Map([...corners].filter(([id]) => !isGoneId(id))), isDragging),
    arrange: forgetPositions,
    align(edge) {
      const ids = selectedKeys(state()).flatMap((key) => idIn('element', key) ?? []);
      const boxes = new Map(
        (state().picture?.cards ?? [])
          .filter(({ element }) => ids.includes(element.id))
          .map(({ element, box }) => [element.id, box]),
      );
      if (boxes.size > 1) move(alignBoxes(boxes, edge));
    },
    exportImage(kind) {
      const { picture, view, compared } = state();
      if (!picture || !view) return;
      const name = view.name || t('entity graph');
      const drawn = { name, compared: compared?.canvas };
      const work = kind === 'svg' ? Promise.resolve(exportSvg(picture, drawn)) : exportPng(picture, drawn);
      work.then(
        async (base64) => {
          const outcome = await ask('saveImage', { name, kind, base64 });
          if (!outcome.ok) fail(outcome.error.message);
        },
        (error: unknown) =>
          fail(t('The image could not be made: {0}.', error instanceof Error ? error.message : String(error))),
      );
    },
  };
}
