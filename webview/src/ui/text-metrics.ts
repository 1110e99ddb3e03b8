/** How large text will be when drawn; handed to the layout so that it needs no browser. */
export interface TextMetrics {
  /** Height of a line in pixels. */
  readonly lineHeight: number;
  /** Width of a text in pixels, on one line. */
  width(text: string, weight: 'normal' | 'bold'): number;
}

const maxKnown = 50_000;

/** Measures with the font that VS Code gave the page. */
export function browserTextMetrics(): TextMetrics {
  const style = getComputedStyle(document.body);
  const fontSize = Number.parseFloat(style.fontSize) || 13;
  // Names return in every version of a graph. Beyond the limit, the oldest are measured again.
  const fonts = { normal: `400 ${fontSize}px ${style.fontFamily}`, bold: `600 ${fontSize}px ${style.fontFamily}` };
  let current = '';
  const known = new Map<string, number>();
  const context = document.createElement('canvas').getContext('2d');
  return {
    lineHeight: Math.round(fontSize * 1.5),
    width(text, weight) {
      if (!context) return text.length * fontSize * 0.6;
      const key = `${weight} ${text}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const font = fonts[weight];
      // Setting a font costs more than measuring.
      if (font !== current) context.font = current = font;
      const { width } = context.measureText(text);
      if (known.size >= maxKnown) known.delete(known.keys().next().value ?? '');
      known.set(key, width);
      return width;
    },
  };
}
