// The course of endings, what is believed of the person, and the chances that follow from both.
import { call, get } from '../lib/api';
import type { Belief } from '../lib/api';
import type { CourseResponse, DrawRequest, DrawResponse, Lesson, Side, StoredPosterior } from '../lib/types';
import { namesOf } from './position';

/** The competence of the player who is spoken of as long as nothing is known of the person. */
const NEWCOMER_C = 20;

export interface Chance {
  share: number;
  /** Whether it is that of the person, not of one who rarely errs. */
  own: boolean;
}

class Course {
  lessons = $state.raw<Lesson[]>([]);
  beliefs = $state.raw<Belief[]>([]);
  /** Chances by the id of the lesson, as far as they have been worked out. */
  chances = $state<Record<string, Chance>>({});
  /** Rises with every change of what is believed, after which chances are stale. */
  #asked = new Map<string, number>();

  lesson(id: string | null): Lesson | undefined {
    return id === null ? undefined : this.lessons.find((lesson) => lesson.id === id);
  }

  async load(signal?: AbortSignal): Promise<void> {
    const [course, { beliefs }] = await Promise.all([
      call<object, CourseResponse>('course', {}, signal),
      get<{ beliefs: Belief[] }>('/beliefs', signal),
    ]);
    this.lessons = course.lessons;
    this.beliefs = beliefs;
  }

  /** What is believed of the person in an ending, on a side and with a task; null if nothing is. */
  belief(material: string, human: Side, task: string): Belief | null {
    const [white, black] = namesOf(material);
    const own = human === 'white' ? white : black;
    const wanted = task === 'survive' ? 'loss' : task;
    return this.beliefs.find((belief) => belief.material === own && belief.task === wanted) ?? null;
  }

  /** The competence to predict with. */
  competence(material: string, human: Side, task: string): { competence: number | StoredPosterior; own: boolean } {
    const belief = this.belief(material, human, task);
    return belief ? { competence: belief.posterior, own: true } : { competence: NEWCOMER_C, own: false };
  }

  /** The request for a position of a lesson. */
  drawing(lesson: Lesson, seed: number): DrawRequest {
    return { lesson: lesson.id, seed, competence: this.competence(lesson.material, lesson.human, lesson.task).competence };
  }

  /** Works out the chance of a lesson whose tables are there, once for each state of belief. */
  async predict(lesson: Lesson, signal: AbortSignal): Promise<void> {
    const belief = this.belief(lesson.material, lesson.human, lesson.task);
    const games = belief?.games ?? 0;
    if (!lesson.tables.ready || this.#asked.get(lesson.id) === games) return;
    this.#asked.set(lesson.id, games);
    try {
      const drawn = await call<DrawRequest, DrawResponse>('draw', this.drawing(lesson, 0), signal);
      if (typeof drawn.chance === 'number') this.chances[lesson.id] = { share: drawn.chance, own: belief !== null };
    } catch {
      // A lesson without its chance is still a lesson.
      this.#asked.delete(lesson.id);
    }
  }
}

export const course = new Course();

const TASKS: Record<string, string> = { win: 'win', draw: 'hold the draw', survive: 'hold out' };

/** What is to be done, in a word or two. */
export function taskWords(task: string): string {
  return TASKS[task] ?? task;
}

/** `A player like you wins inside 50 moves about 70% of the time.` */
export function chanceWords(task: string, { share, own }: Chance): string {
  const who = own ? 'A player like you' : 'A player who rarely errs';
  const does = { win: 'wins inside 50 moves', draw: 'holds the draw for 50 moves', survive: 'holds out for 50 moves' }[task] ?? 'manages it';
  if (share < 0.01) return `${who} hardly ever ${does} against perfect play.`;
  if (share > 0.99) return `${who} nearly always ${does}, even against perfect play.`;
  return `${who} ${does} against perfect play about ${Math.round(share * 100)}% of the time.`;
}
