// What a person chose for looking at positions. Strength and model are in the address too, so that a link shows the same.
import { MAX_C, MIN_C } from '../lib/words';
import { METRICS } from './metrics';

export type Hold = 'nothing' | 'wins' | 'value';

const KEY = 'errare.explore';

class Settings {
  /** The strength that the dial shows. */
  c = $state(12);
  /** Whether the dial is at perfect play. */
  perfect = $state(false);
  /** What players never give up. */
  hold = $state<Hold>('nothing');
  /** Added to depths in the model: a number above 0, or `0+`. */
  kappa = $state('1');
  /** The metric of the overlay, of lines and of the order of moves. */
  metric = $state('dtm');

  /** The strength as the lab reads it. */
  readonly competence = $derived(this.perfect ? 'inf' : String(this.c));
  /** The part of requests that says how players choose. */
  readonly model = $derived({ hold: this.hold, kappa: this.kappa === '0+' ? '0+' : Number(this.kappa) });

  constructor() {
    try {
      const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Record<string, unknown>>;
      if (typeof stored['c'] === 'number' && stored['c'] >= MIN_C && stored['c'] <= MAX_C) this.c = stored['c'];
      if (METRICS.some((metric) => metric.id === stored['metric'])) this.metric = String(stored['metric']);
    } catch {
      // What was stored cannot be read: the defaults stay.
    }
  }

  /** Takes over what an address says. */
  read(query: URLSearchParams): void {
    const c = query.get('c');
    if (c !== null) {
      this.perfect = c === 'inf';
      const value = Number(c);
      if (!this.perfect && Number.isFinite(value)) this.c = Math.min(MAX_C, Math.max(MIN_C, value));
    }
    const hold = query.get('hold');
    this.hold = hold === 'wins' || hold === 'value' ? hold : 'nothing';
    const kappa = query.get('kappa');
    this.kappa = kappa !== null && isKappa(kappa.trim()) ? kappa.trim() : '1';
  }

  /** The part of an address that says how players choose, where that is not the default. */
  address(): string {
    const parts = [];
    if (this.hold !== 'nothing') parts.push(`hold=${this.hold}`);
    if (this.kappa !== '1') parts.push(`kappa=${encodeURIComponent(this.kappa)}`);
    return parts.map((part) => `&${part}`).join('');
  }

  keep(): void {
    try {
      localStorage.setItem(KEY, JSON.stringify({ c: this.c, metric: this.metric }));
    } catch {
      // It then lasts as long as the page.
    }
  }
}

/** Whether a text is a kappa: a number above 0, or 0+. */
export function isKappa(text: string): boolean {
  return text === '0+' || (text !== '' && Number(text) > 0 && Number.isFinite(Number(text)));
}

export const settings = new Settings();
