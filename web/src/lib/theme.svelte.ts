// Light or dark: as the system has it, unless the person chose.
const KEY = 'errare.theme';
type Choice = 'light' | 'dark' | 'system';

const system = matchMedia('(prefers-color-scheme: dark)');

class Theme {
  choice = $state<Choice>(stored());
  #system = $state(system.matches ? 'dark' : 'light');
  /** The theme that is shown. Charts, which paint on a canvas, depend on it. */
  readonly shown = $derived(this.choice === 'system' ? this.#system : this.choice);

  constructor() {
    system.addEventListener('change', () => (this.#system = system.matches ? 'dark' : 'light'));
  }

  toggle(): void {
    this.choice = this.shown === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset['theme'] = this.choice;
    try {
      localStorage.setItem(KEY, this.choice);
    } catch {
      // The choice then lasts as long as the page.
    }
  }
}

function stored(): Choice {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : 'system';
  } catch {
    return 'system';
  }
}

export const theme = new Theme();
