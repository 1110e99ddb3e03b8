/** How large text will be when drawn; handed to the layout so that it needs no browser. */
export interface TextMetrics {
  /** Height of a line in pixels. */
  readonly lineHeight: number;
  /** Width of a text in pixels, on one line. */
  width(text: string, weight: 'normal' | 'bold'): number;
}

/** Measures with the font that VS Code gave the page. */
export function browserTextMetrics(): TextMetrics {
  const style = getComputedStyle(document.body);
  const fontSize = Number.parseFloat(style.fontSize) || 13;
  const context = document.createElement('canvas').getContext('2d');
  return {
    lineHeight: Math.round(fontSize * 1.5),
    width(text, weight) {
      if (!context) return text.length * fontSize * 0.6;
      context.font = `${weight === 'bold' ? 600 : 400} ${fontSize}px ${style.fontFamily}`;
      return context.measureText(text).width;
    },
  };
}
