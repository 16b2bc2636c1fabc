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
  middle: Point;
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
    middle: { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 },
  };
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
  const half = points[Math.floor(points.length / 2)] ?? first;
  return {
    path,
    start: at(first),
    end: at(last),
    startAngle: away(first, second, points[2] ?? last),
    endAngle: away(last, before, points[points.length - 3] ?? first),
    middle: points.length === 4 ? cubicMiddle(points) : at(half),
  };
}

function cubicMiddle(points: [number, number][]): Point {
  const weights = [1, 3, 3, 1];
  const sum = { x: 0, y: 0 };
  points.forEach(([x, y], i) => {
    sum.x += ((weights[i] ?? 0) * x) / 8;
    sum.y += ((weights[i] ?? 0) * y) / 8;
  });
  return sum;
}

const n = (value: number): string => value.toFixed(1);

/** The shape of an arrow head or circle at the end of an edge, with its tip at the origin, pointing right. */
export const ARROW = "M0 0L-9 -4.2L-7.2 0L-9 4.2Z";
