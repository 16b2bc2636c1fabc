// The geometry of a drawn edge: from border to border of two boxes, or along the route of the layout.

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

/** Where the line from the center of a box to a point leaves the box. */
export function border(box: Box, toward: Point, gap = 0): Point {
  const dx = toward.x - box.x;
  const dy = toward.y - box.y;
  if (dx === 0 && dy === 0) return { x: box.x, y: box.y };
  const scale = Math.min(
    dx === 0 ? Infinity : (box.width / 2 + gap) / Math.abs(dx),
    dy === 0 ? Infinity : (box.height / 2 + gap) / Math.abs(dy),
  );
  return scale >= 1 ? { x: box.x, y: box.y } : { x: box.x + dx * scale, y: box.y + dy * scale };
}

export interface Drawn {
  path: string;
  start: Point;
  end: Point;
  startAngle: number;
  endAngle: number;
  /** The point at this share of the way, from 0 to 1. */
  along: (share: number) => Point;
}

const angle = (from: Point, to: Point): number => (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;

const GAP = 3;

export function straight(from: Box, to: Box): Drawn {
  const start = border(from, to, GAP);
  const end = border(to, from, GAP);
  return {
    path: `M${n(start.x)} ${n(start.y)}L${n(end.x)} ${n(end.y)}`,
    start,
    end,
    startAngle: angle(end, start),
    endAngle: angle(start, end),
    along: (share) => ({ x: start.x + share * (end.x - start.x), y: start.y + share * (end.y - start.y) }),
  };
}

/** Whether the line between two points comes into a box. */
function meets(a: Point, b: Point, box: Box, gap: number): boolean {
  let [from, to] = [0, 1];
  for (const [start, step, middle, half] of [[a.x, b.x - a.x, box.x, box.width / 2 + gap], [a.y, b.y - a.y, box.y, box.height / 2 + gap]] as const) {
    if (step === 0) {
      if (Math.abs(start - middle) >= half) return false;
      continue;
    }
    const [one, other] = [(middle - half - start) / step, (middle + half - start) / step];
    from = Math.max(from, Math.min(one, other));
    to = Math.min(to, Math.max(one, other));
  }
  return from < to;
}

const BOWS = [0.15, -0.15, 0.3, -0.3, 0.5, -0.5, 0.8, -0.8];

/** The points of an edge that keeps away from the boxes between its ends; null where the straight line does, or none is found. */
export function bowed(from: Box, to: Box, boxes: readonly Box[]): [number, number][] | null {
  const others = boxes.filter((box) => box !== from && box !== to);
  const free = (line: readonly Point[], gap: number): boolean => !others.some((box) => line.slice(1).some((at, i) => meets(line[i] ?? at, at, box, gap)));
  if (free([from, to], 0)) return null;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  for (const bow of BOWS) {
    // The middle of the curve lies three quarters of the way to its controls.
    const controls = [1 / 3, 2 / 3].map((share): Point => ({ x: from.x + share * dx - (4 / 3) * bow * dy, y: from.y + share * dy + (4 / 3) * bow * dx }));
    const [near = from, far = to] = controls;
    const [start, end] = [border(from, near, GAP), border(to, far, GAP)];
    const points = [start, near, far, end].map(({ x, y }): [number, number] => [x, y]);
    if (free(Array.from({ length: 13 }, (_, i) => cubicAt(points, i / 12)), 4)) return points;
  }
  return null;
}

/** Points as the layout gives them: a start, then two controls and an end for each cubic. */
export function routed(points: [number, number][]): Drawn | null {
  const first = points[0];
  const last = points[points.length - 1];
  const second = points[1];
  const before = points[points.length - 2];
  if (!first || !last || !second || !before || points.length % 3 !== 1) return null;
  let path = `M${n(first[0])} ${n(first[1])}`;
  for (let i = 1; i + 2 < points.length; i += 3) {
    const part = points.slice(i, i + 3);
    path += `C${part.map(([x, y]) => `${n(x)} ${n(y)}`).join(" ")}`;
  }
  const at = (p: [number, number]): Point => ({ x: p[0], y: p[1] });
  const away = (end: [number, number], near: [number, number], far: [number, number]): number =>
    angle(at(near[0] === end[0] && near[1] === end[1] ? far : near), at(end));
  const cubics = (points.length - 1) / 3;
  return {
    path,
    start: at(first),
    end: at(last),
    startAngle: away(first, second, points[2] ?? last),
    endAngle: away(last, before, points[points.length - 3] ?? first),
    along: (share) => {
      const which = Math.min(cubics - 1, Math.floor(share * cubics));
      return cubicAt(points.slice(3 * which, 3 * which + 4), share * cubics - which);
    },
  };
}

function cubicAt(points: [number, number][], t: number): Point {
  const rest = 1 - t;
  const weights = [rest * rest * rest, 3 * rest * rest * t, 3 * rest * t * t, t * t * t];
  const sum = { x: 0, y: 0 };
  points.forEach(([x, y], i) => {
    sum.x += (weights[i] ?? 0) * x;
    sum.y += (weights[i] ?? 0) * y;
  });
  return sum;
}

const n = (value: number): string => value.toFixed(1);

const HEAD = [[0, 0], [-9, -4.2], [-7.2, 0], [-9, 4.2]] as const;

/** A diamond around a point, the mark of an edge that knowledge requires. */
export const diamond = ({ x, y }: Point, r: number): string => `M${n(x)} ${n(y - r)}L${n(x + r)} ${n(y)}L${n(x)} ${n(y + r)}L${n(x - r)} ${n(y)}Z`;

/** The shape of an arrow head with its tip at the end of an edge: plain points, for each transform costs the browser a layer to paint. */
export function arrow(tip: Point, degrees: number, scale: number): string {
  const cos = scale * Math.cos((degrees * Math.PI) / 180);
  const sin = scale * Math.sin((degrees * Math.PI) / 180);
  return `M${HEAD.map(([x, y]) => `${n(tip.x + x * cos - y * sin)} ${n(tip.y + x * sin + y * cos)}`).join("L")}Z`;
}
