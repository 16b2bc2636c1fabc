// Nodes that are dragged are lifted off the canvas: they and their edges are drawn above it, so that the picture
// of all others, which may be hundreds, is not painted again while they move.
import { getContext, setContext } from "svelte";
import { SvelteSet } from "svelte/reactivity";
import type { Viewport } from "./flow";

/** Pixels from which on a press is a drag. */
const LEAST = 2;
/** Pixels from the border within which the canvas moves under the pointer, and how far in each frame. */
const MARGIN = 32;
const PACE = 12;

interface Board {
  /** The ids of the nodes that move when this one is dragged. */
  together: (id: string) => string[];
  view: () => Viewport;
  setView: (view: Viewport) => void;
  /** The nodes have been put down that far from where they were. */
  dropped: (ids: string[], dx: number, dy: number) => void;
}

interface Press {
  id: string;
  pointer: number;
  surface: HTMLElement;
  from: [number, number];
  now: [number, number];
}

export class Lifting {
  private readonly ids = new SvelteSet<string>();
  /** How far the nodes are from where they were, in the units of the canvas. */
  offset = $state.raw<[number, number]>([0, 0]);
  private press: Press | null = null;
  private origin: [number, number] = [0, 0];
  private frame = 0;

  constructor(private readonly board: Board) {}

  get lifted(): boolean {
    return this.ids.size > 0;
  }

  holds(id: string): boolean {
    return this.ids.has(id);
  }

  pressed(event: PointerEvent & { currentTarget: HTMLElement }): void {
    if (this.lifted || event.button !== 0 || !event.isPrimary || event.shiftKey) return;
    const grip = (event.target as Element).closest(".nodrag");
    const id = grip?.classList.contains("lifts") ? grip.closest<HTMLElement>(".svelte-flow__node")?.dataset["id"] : undefined;
    if (id === undefined) return;
    const at: [number, number] = [event.clientX, event.clientY];
    this.press = { id, pointer: event.pointerId, surface: event.currentTarget, from: at, now: at };
    this.origin = this.placeOf(at);
  }

  moved(event: PointerEvent): void {
    const { press } = this;
    if (event.pointerId !== press?.pointer) return;
    if (event.buttons === 0) return this.released(event); // let go where nobody saw it
    press.now = [event.clientX, event.clientY];
    if (!this.lifted) {
      if (Math.hypot(press.now[0] - press.from[0], press.now[1] - press.from[1]) < LEAST) return;
      press.surface.setPointerCapture(press.pointer);
      for (const id of this.board.together(press.id)) this.ids.add(id);
    }
    this.follow();
    if (!this.frame) this.frame = requestAnimationFrame(() => this.moveView());
  }

  released(event: PointerEvent): void {
    if (event.pointerId !== this.press?.pointer) return;
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.press = null;
    if (!this.lifted) return;
    const ids = [...this.ids];
    const [dx, dy] = this.offset;
    this.ids.clear();
    this.offset = [0, 0];
    this.board.dropped(ids, dx, dy);
  }

  private follow(): void {
    if (!this.press) return;
    const [x, y] = this.placeOf(this.press.now);
    this.offset = [x - this.origin[0], y - this.origin[1]];
  }

  private placeOf([x, y]: [number, number]): [number, number] {
    const view = this.board.view();
    return [(x - view.x) / view.zoom, (y - view.y) / view.zoom];
  }

  /** Near the border of the canvas more of it comes into sight, frame by frame. */
  private moveView(): void {
    this.frame = 0;
    const { press } = this;
    if (!press || !this.lifted) return;
    const box = press.surface.getBoundingClientRect();
    const pace = (at: number, low: number, high: number): number => (at < low + MARGIN ? PACE : at > high - MARGIN ? -PACE : 0);
    const dx = pace(press.now[0], box.left, box.right);
    const dy = pace(press.now[1], box.top, box.bottom);
    if (dx === 0 && dy === 0) return;
    const view = this.board.view();
    this.board.setView({ ...view, x: view.x + dx, y: view.y + dy });
    this.follow();
    this.frame = requestAnimationFrame(() => this.moveView());
  }
}

const KEY = Symbol("lifting");

export const liftingOf = (): Lifting => getContext<Lifting>(KEY);
export const withLifting = (board: Board): Lifting => setContext(KEY, new Lifting(board));
