// Endings that people know by name, and what is wrong with the text of one.
import { MAX_MEN } from './tables.svelte';

export const ENDINGS: { title: string; endings: string[] }[] = [
  { title: 'Three men', endings: ['KQK', 'KRK', 'KPK'] },
  { title: 'Four men', endings: ['KQKR', 'KQKP', 'KRKB', 'KRKN', 'KRKP', 'KBBK', 'KBNK', 'KNNK', 'KBPK', 'KNPK', 'KPPK', 'KPKP', 'KQKB', 'KQKN', 'KQKQ', 'KRKR', 'KBKP', 'KNKP'] },
  { title: 'Five men', endings: ['KRPKR', 'KQPKQ', 'KRBKR', 'KRNKR', 'KBBKN', 'KNNKP', 'KQKNN', 'KQKBB', 'KQKBN', 'KQRKQ', 'KRKNP', 'KRKBP', 'KBPKN', 'KPPKP'] },
];

/** A sentence on what is wrong with the name of an ending, or null. */
export function endingFault(text: string): string | null {
  const material = text.trim().toUpperCase();
  if (material === '') return 'Name the men of an ending, such as KRPKR.';
  const strange = /[^KQRBNP]/.exec(material);
  if (strange) return `“${strange[0]}” is no man: use K, Q, R, B, N and P, as in KRPKR.`;
  if (!/^K[QRBNP]*K[QRBNP]*$/.test(material)) return 'An ending has two kings: first White’s with its men, then Black’s, as in KRPKR.';
  if (material.length === 2) return 'Two bare kings are drawn: there is nothing to explore.';
  if (material.length > MAX_MEN) return `Tables are built here for up to five men, this has ${material.length}.`;
  return null;
}
