// Colours of the design for what is painted on a canvas, which knows no custom properties.

const NAMES = new Set(['accent', 'good', 'ok', 'bad', 'warn', 'muted', 'text', 'line']);

/** The colour of a token such as `accent`, as it is now; any other text is a CSS colour itself. */
export function resolved(colour: string, element: HTMLElement): string {
  const probe = document.createElement('span');
  probe.style.color = NAMES.has(colour) ? `var(--${colour})` : colour;
  probe.style.display = 'none';
  element.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

/** The same colour, let through to a share. */
export function faded(colour: string, share: number): string {
  return `color-mix(in srgb, ${colour} ${Math.round(share * 100)}%, transparent)`;
}
