import { beforeEach, describe, expect, it, vi } from "vitest";
import { Lifting } from "../src/canvas/lifting.svelte";

let view = { x: 100, y: 50, zoom: 0.5 };
const dropped: [string[], number, number][] = [];
let frames: FrameRequestCallback[] = [];
const surface = document.createElement("div");
const node = document.createElement("div");
const box = document.createElement("span");
let lifting: Lifting;

function event(type: string, x: number, y: number, more: Partial<PointerEvent> = {}): PointerEvent & { currentTarget: HTMLElement } {
  return { type, pointerId: 1, isPrimary: true, button: 0, buttons: 1, shiftKey: false, clientX: x, clientY: y, target: box, currentTarget: surface, ...more } as PointerEvent & { currentTarget: HTMLElement };
}

beforeEach(() => {
  view = { x: 100, y: 50, zoom: 0.5 };
  dropped.length = 0;
  frames = [];
  vi.stubGlobal("requestAnimationFrame", (frame: FrameRequestCallback) => frames.push(frame));
  vi.stubGlobal("cancelAnimationFrame", () => { frames = []; });
  node.className = "svelte-flow__node";
  node.dataset["id"] = "7";
  box.className = "nodrag lifts";
  node.replaceChildren(box);
  surface.replaceChildren(node);
  surface.setPointerCapture = () => undefined;
  surface.getBoundingClientRect = () => new DOMRect(0, 0, 800, 600);
  lifting = new Lifting({
    together: (id) => [id, "8"],
    view: () => view,
    setView: (next) => { view = next; },
    dropped: (ids, dx, dy) => dropped.push([ids, dx, dy]),
  });
});

describe("lifting nodes", () => {
  it("moves a node with all that move together, in the units of the canvas", () => {
    lifting.pressed(event("pointerdown", 300, 300));
    lifting.moved(event("pointermove", 320, 290));
    expect(lifting.holds("7") && lifting.holds("8")).toBe(true);
    expect(lifting.offset).toEqual([40, -20]);
    lifting.released(event("pointerup", 320, 290));
    expect(dropped).toEqual([[["7", "8"], 40, -20]]);
    expect(lifting.lifted).toBe(false);
  });

  it("takes a press that hardly moves for a click", () => {
    lifting.pressed(event("pointerdown", 300, 300));
    lifting.moved(event("pointermove", 301, 300));
    lifting.released(event("pointerup", 301, 300));
    expect(dropped).toEqual([]);
  });

  it("puts nodes down when the button was let go elsewhere", () => {
    lifting.pressed(event("pointerdown", 300, 300));
    lifting.moved(event("pointermove", 400, 300, { buttons: 0 }));
    expect(lifting.lifted).toBe(false);
    lifting.pressed(event("pointerdown", 300, 300));
    lifting.moved(event("pointermove", 310, 300));
    lifting.moved(event("pointermove", 500, 300, { buttons: 0 }));
    expect(dropped).toEqual([[["7", "8"], 20, 0]]);
  });

  it("leaves other buttons, other fingers and what is in a node alone", () => {
    lifting.pressed(event("pointerdown", 300, 300, { button: 2 }));
    lifting.pressed(event("pointerdown", 300, 300, { isPrimary: false }));
    const bar = document.createElement("button");
    bar.className = "nodrag";
    box.append(bar);
    lifting.pressed(event("pointerdown", 300, 300, { target: bar }));
    lifting.moved(event("pointermove", 400, 400));
    expect(lifting.lifted).toBe(false);
    lifting.pressed(event("pointerdown", 300, 300));
    lifting.moved(event("pointermove", 400, 400, { pointerId: 2 }));
    expect(lifting.lifted).toBe(false);
  });

  it("brings more of the canvas into sight near its border", () => {
    lifting.pressed(event("pointerdown", 700, 300));
    lifting.moved(event("pointermove", 790, 300));
    expect(lifting.offset).toEqual([180, 0]);
    frames.shift()?.(0);
    expect(view).toEqual({ x: 88, y: 50, zoom: 0.5 });
    expect(lifting.offset).toEqual([204, 0]);
    lifting.moved(event("pointermove", 400, 300));
    frames.shift()?.(0);
    expect(view.x).toBe(88);
    expect(frames).toEqual([]);
  });
});
