// The one place that speaks HTTP. An answer that is no success becomes an ApiError with the server's own words.
import type { ApiProblem } from "./types";

export class ApiError extends Error {
  readonly status: number;
  readonly problem: ApiProblem;
  readonly body: Record<string, unknown>;

  constructor(status: number, problem: ApiProblem, body: Record<string, unknown> = {}) {
    super(problem.message);
    this.status = status;
    this.problem = problem;
    this.body = body;
  }
}

async function fetched(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, { code: "offline", message: "The studio does not answer. Is `dagwright studio` still running?" });
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

function refusal(response: Response, body: unknown): ApiError {
  const document = (body ?? {}) as { error?: ApiProblem } & Record<string, unknown>;
  const problem = document.error ?? { code: "unknown", message: `The studio answered with status ${response.status}.` };
  return new ApiError(response.status, problem, document);
}

async function answered<T>(address: string, init: RequestInit): Promise<T> {
  const response = await fetched(address, init);
  if (response.status === 204) return undefined as T;
  const body = await bodyOf(response);
  if (response.ok) return body as T;
  throw refusal(response, body);
}

/** Saves a file under the name that the server gives it; unlike a link it tells why there is none. */
export async function download(address: string): Promise<void> {
  const response = await fetched(address, {});
  if (!response.ok) throw refusal(response, await bodyOf(response));
  const named = /filename\*=utf-8''([^;]+)/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = named ? decodeURIComponent(named) : "";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export const get = <T>(address: string, signal?: AbortSignal): Promise<T> =>
  answered<T>(address, signal ? { signal } : {});

const sent = <T>(method: string, address: string, body: unknown, signal?: AbortSignal): Promise<T> =>
  answered<T>(address, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });

export const post = <T>(address: string, body: unknown = {}, signal?: AbortSignal): Promise<T> =>
  sent<T>("POST", address, body, signal);
export const patch = <T>(address: string, body: unknown): Promise<T> => sent<T>("PATCH", address, body);
export const remove = <T = void>(address: string): Promise<T> => answered<T>(address, { method: "DELETE" });

export const upload = <T>(address: string, bytes: Blob): Promise<T> =>
  answered<T>(address, { method: "POST", headers: { "content-type": "application/octet-stream" }, body: bytes });

/** An address with its query; values that are null are left out. */
export function query(path: string, values: Record<string, string | number | boolean | null | undefined>): string {
  const parts = Object.entries(values)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return parts.length ? `${path}?${parts.join("&")}` : path;
}
