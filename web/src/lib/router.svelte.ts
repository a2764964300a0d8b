// Addresses are paths of the history API; the server answers all of them with the same page.

class Router {
  path = $state(location.pathname);
  search = $state(location.search);
  /** The parts of the path, such as ['practise', 'history']. */
  readonly segments = $derived(this.path.split('/').filter(Boolean).map(decoded));
  readonly query = $derived(new URLSearchParams(this.search));

  constructor() {
    addEventListener('popstate', () => this.#read());
  }

  #read(): void {
    this.path = location.pathname;
    this.search = location.search;
  }

  go(address: string, replace: boolean): void {
    if (address === location.pathname + location.search) return;
    if (replace) history.replaceState(null, '', address);
    else history.pushState(null, '', address);
    this.#read();
    if (!replace) scrollTo(0, 0);
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const router = new Router();

/** Goes to an address of the workbench, such as `/explore?fen=...`. */
export function navigate(address: string, options: { replace?: boolean } = {}): void {
  router.go(address, options.replace ?? false);
}

/** Follows links within the workbench without loading the page again. To be used as the click handler of the whole document. */
export function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (link.pathname.startsWith('/api/') || (link.hash && link.pathname === location.pathname)) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
}
