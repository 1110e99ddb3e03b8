import { choice, object, text } from './shape.ts';

/** An image drawn by a page. */
export const image = object({ name: text, kind: choice({ svg: true, png: true }), base64: text });
