/** Text measurements, passed to the layout so that it needs no browser. */
export interface TextMetrics {
  /** In pixels. */
  readonly fontSize: number;
  /** Line height in pixels. */
  readonly lineHeight: number;
  /** Width of a single-line text in pixels. */
  width(text: string, weight: 'normal' | 'bold'): number;
}

const maxKnown = 50_000;

/** Measures with VS Code's font. */
export function browserTextMetrics(): TextMetrics {
  const style = getComputedStyle(document.body);
  const fontSize = Number.parseFloat(style.fontSize) || 13;
  // Cache, because names recur in every version of a graph; the oldest entries are dropped.
  const fonts = { normal: `400 ${fontSize}px ${style.fontFamily}`, bold: `600 ${fontSize}px ${style.fontFamily}` };
  let current = '';
  const known = new Map<string, number>();
  const context = document.createElement('canvas').getContext('2d');
  return {
    fontSize,
    lineHeight: Math.round(fontSize * 1.5),
    width(text, weight) {
      if (!context) return text.length * fontSize * 0.6;
      const key = `${weight} ${text}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const font = fonts[weight];
      // Setting a font is slower than measuring.
      if (font !== current) context.font = current = font;
      const { width } = context.measureText(text);
      if (known.size >= maxKnown) known.delete(known.keys().next().value ?? '');
      known.set(key, width);
      return width;
    },
  };
}
