import type { TextMetrics } from '../../../webview/src/ui/text-metrics.ts';

/** Every character is 7 pixels wide, 8 in bold; lines are 20 pixels high. */
export const plainTextMetrics: TextMetrics = {
  fontSize: 13,
  lineHeight: 20,
  width: (text, weight) => text.length * (weight === 'bold' ? 8 : 7),
};
