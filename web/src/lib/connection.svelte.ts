// Whether the server answers. Every request of `api.ts` reports here; while the server is gone it is asked again and again.

const INTERVAL = 2000;

class Connection {
  /** False from the first request that got no answer until the server answers again. */
  online = $state(true);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waiting: (() => void)[] = [];

  /** To be called when a request got an answer, whatever it says. */
  answered(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.online = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    waiting.forEach((resume) => resume());
  }

  /** To be called when a request got no answer. */
  lost(): void {
    this.online = false;
    this.#timer ??= setTimeout(() => void this.retry(), INTERVAL);
  }

  /** Asks the server whether it is there. */
  async retry(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      await fetch('/api/v1/about', { cache: 'no-store' });
      this.answered();
    } catch {
      this.lost();
    }
  }

  /** Resolves once the server answers; at once if it does. */
  back(): Promise<void> {
    return this.online ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }
}

export const connection = new Connection();
