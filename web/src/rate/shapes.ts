// What the server says of the turns that it was started with, beside the shapes of the lab's operations.
import type { PlottedChart } from '../lib/types';

export type PageBlock =
  | { kind: 'heading' | 'paragraph' | 'note'; text: string }
  | { kind: 'table'; header: string[]; rows: string[][] }
  | { kind: 'chart'; chart: PlottedChart };

/** The part of `GET /api/v1/ratings` that is shown: its page. */
export interface MilepostsPage {
  page: PageBlock[];
}
