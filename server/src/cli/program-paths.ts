import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** ELK's script beside the bundle; when run from sources, that of the package. */
export function elkProgramPath(): string {
  const beside = join(__dirname, 'elk-worker.min.js');
  return existsSync(beside) ? beside : createRequire(__filename).resolve('elkjs/lib/elk-worker.min.js');
}

/** The program that draws the canvas, beside the bundle; when run from sources, its source. */
export function drawingProgramPath(): string {
  const beside = join(__dirname, 'draw-canvas.js');
  return existsSync(beside) ? beside : join(__dirname, '../../../webview/src/canvas/draw-canvas-file.ts');
}

/** The documents that belong to this version: two folders above the bundle; when run from sources, three above this file. */
export function docsFolder(): string {
  const beside = join(__dirname, '../../docs');
  return existsSync(beside) ? beside : join(__dirname, '../../../docs');
}
